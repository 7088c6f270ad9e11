"""The Gaussian kernel."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.radial._radial import Radial
from margin.native.kernels import kernel_maps


@dataclass(frozen=True)
class RBF(Radial):
    r"""The Gaussian, or squared exponential, kernel (kernels.05).

    .. math:: k(x, z) = \exp\Bigl(-\tfrac12 \sum_j \frac{(x_j - z_j)^2}{\ell_j^2}\Bigr).

    Infinitely smooth and universal: it approximates any continuous function. As the length scale
    goes to zero the matrix becomes the identity and a kernel machine the nearest neighbour rule.

    Parameters
    ----------
    length_scale : float or sequence of float
        Distance :math:`\ell` over which values stay alike; one per column weighs the columns.

    See Also
    --------
    RBF.from_gamma : ``exp(-gamma d²)``, as in scikit-learn.
    RBF.from_width : ``exp(-d² / h²)``.

    Examples
    --------
    >>> RBF(2.0)([[0.0]], [[2.0]]).round(6)
    array([[0.606531]])
    >>> RBF.from_gamma(0.125) == RBF(2.0)
    True
    """

    length_scale: float | tuple[float, ...] = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    @classmethod
    def from_gamma(cls, gamma: float) -> Self:
        r""":math:`\exp(-\gamma \|x - z\|^2)`, that is :math:`\ell^2 = 1 / (2\gamma)`."""
        if not 0 < gamma < np.inf:
            raise check.fail(cls.__name__, "gamma", "a number above 0", gamma)
        return cls(float(np.sqrt(0.5 / gamma)))

    @classmethod
    def from_width(cls, h: float) -> Self:
        r""":math:`\exp(-\|x - z\|^2 / h^2)`, that is :math:`\ell = h / \sqrt2`."""
        return cls(float(h / np.sqrt(2.0)))

    def profile(self, s: Floats) -> Floats:
        return np.exp(-0.5 * s)

    def slope(self, s: Floats) -> Floats:
        return np.exp(-0.5 * s)

    def _compiled(self) -> tuple[int, float]:
        return kernel_maps.GAUSSIAN, 0.0
