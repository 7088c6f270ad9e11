"""The triangle kernel."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.kernels._base import Floats
from margin.kernels.vectors._separable_compact import SeparableCompact


@dataclass(frozen=True)
class Triangle(SeparableCompact):
    r"""The triangle kernel :math:`\prod_j (1 - |x_j - z_j| / \ell_j)_+` (kernels.12).

    On a grid of spacing :math:`\ell` a Gaussian process with it interpolates linearly, with
    variance :math:`2t(1-t)` at the fraction ``t`` of a cell.

    Parameters
    ----------
    length_scale : float or sequence of float
        Half the width of the support, one for all columns or one each.

    Examples
    --------
    >>> Triangle(2.0)([[0.0]], [[0.5], [3.0]])
    array([[0.75, 0.  ]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    def profile(self, u: Floats) -> Floats:
        return np.maximum(1.0 - np.abs(u), 0.0)

    def profile_slope(self, u: Floats) -> Floats:
        return np.where(np.abs(u) < 1.0, -np.sign(u), 0.0).astype(u.dtype)

    def _half_width(self) -> float:
        return 1.0
