"""The ideal interpolator."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.kernels._base import Floats
from margin.kernels.vectors._separable import Separable


@dataclass(frozen=True)
class Sinc(Separable):
    r"""The kernel :math:`\prod_j \frac{\sin \pi u_j}{\pi u_j}`, :math:`u_j = (x_j - z_j)/\ell_j`.

    The cardinal function of band-limited signals (kernels.16): one at zero and zero at all other
    integers, so that on the grid the matrix is the identity and interpolation a convolution. Its
    Fourier transform is a box: it is positive definite.

    Parameters
    ----------
    length_scale : float or sequence of float
        Spacing of the grid, one for all columns or one each.

    Examples
    --------
    >>> Sinc()([[0.0]], [[0.0], [0.5], [1.0]]).round(6)
    array([[1.     , 0.63662, 0.     ]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    def profile(self, u: Floats) -> Floats:
        return np.sinc(u)

    def profile_slope(self, u: Floats) -> Floats:
        safe = np.where(np.abs(u) > 1e-4, u, 1.0)
        exact = (np.cos(np.pi * u) - np.sinc(u)) / safe
        return np.where(np.abs(u) > 1e-4, exact, -(np.pi**2) / 3.0 * u).astype(u.dtype)
