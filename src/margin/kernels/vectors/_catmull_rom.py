"""The Catmull–Rom kernel."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.kernels._base import Definite, Floats
from margin.kernels.vectors._separable_compact import SeparableCompact


@dataclass(frozen=True)
class CatmullRom(SeparableCompact):
    r"""The Catmull–Rom kernel, a cardinal function of compact support (kernels.16).

    .. math:: f(u) = \begin{cases} 1 - \tfrac52 u^2 + \tfrac32 |u|^3 & |u| \le 1 \\
        2 - 4|u| + \tfrac52 u^2 - \tfrac12 |u|^3 & 1 < |u| \le 2. \end{cases}

    One at zero and zero at all other integers; interpolation with it reproduces polynomials up to
    degree two. Positive definite on the grid only (``definite`` is ``"grid"``).

    Parameters
    ----------
    length_scale : float or sequence of float
        Spacing of the grid, one for all columns or one each.

    Examples
    --------
    >>> CatmullRom()([[0.0]], [[0.0], [0.5], [1.0], [1.5]])
    array([[ 1.    ,  0.5625,  0.    , -0.0625]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)
    definite: ClassVar[Definite] = "grid"

    def profile(self, u: Floats) -> Floats:
        a = np.abs(u)
        near = 1.0 + a * a * (1.5 * a - 2.5)
        far = 2.0 + a * (a * (2.5 - 0.5 * a) - 4.0)
        return np.where(a <= 1.0, near, np.where(a < 2.0, far, 0.0)).astype(u.dtype)

    def profile_slope(self, u: Floats) -> Floats:
        a = np.abs(u)
        near = a * (4.5 * a - 5.0)
        far = a * (5.0 - 1.5 * a) - 4.0
        slopes = np.where(a <= 1.0, near, np.where(a < 2.0, far, 0.0))
        return (np.sign(u) * slopes).astype(u.dtype)

    def _half_width(self) -> float:
        return 2.0
