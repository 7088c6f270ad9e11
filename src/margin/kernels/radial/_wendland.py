"""Wendland's kernels of compact support."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.polynomial import polynomial

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.radial._matern import TINY_RADIUS
from margin.kernels.radial._radial import Radial
from margin.kernels.vectors._compact import CompactSupport


@dataclass(frozen=True)
class Wendland(Radial, CompactSupport):
    r"""Piecewise polynomial of the distance, zero beyond the length scale (kernels.13).

    With :math:`l = \lfloor D/2 \rfloor + k + 1`, for smoothness :math:`2k` in up to ``D`` columns,

    .. math:: \begin{aligned}
        C^0:\;& (1-r)_+^{l} \\
        C^2:\;& (1-r)_+^{l+1}\,\bigl((l+1) r + 1\bigr) \\
        C^4:\;& (1-r)_+^{l+2}\,\bigl((l^2+4l+3) r^2 + (3l+6) r + 3\bigr) / 3 \\
        C^6:\;& (1-r)_+^{l+3}\,\bigl((l^3+9l^2+23l+15) r^3 + (6l^2+36l+45) r^2
                + (15l+45) r + 15\bigr) / 15. \end{aligned}

    These are the polynomials of least degree that are positive definite; the exponent of
    :math:`C^2` is :math:`\lfloor D/2 \rfloor + 3`. :meth:`sparse` gives the matrix without zeros.

    Parameters
    ----------
    length_scale : float or sequence of float
        Radius of the support, one for all columns or one each.
    dimension : int
        Largest number of columns ``D`` it shall be positive definite for.
    smoothness : {0, 2, 4, 6}
        How often it can be differentiated.

    Examples
    --------
    >>> Wendland(2.0, dimension=1)([[0.0]], [[1.0], [2.0]])
    array([[0.3125, 0.    ]])
    >>> Wendland(1.0, dimension=1).sparse([[0.0], [0.5], [9.0]]).nnz
    5
    """

    length_scale: float | tuple[float, ...] = 1.0
    dimension: int = 3
    smoothness: int = 2
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.params(self, count="dimension", one_of={"smoothness": (0, 2, 4, 6)})

    @cached_property
    def _form(self) -> tuple[int, Sequence[float]]:
        """Exponent of (1 - r), and the coefficients of the polynomial, lowest power first."""
        k = self.smoothness // 2
        n = self.dimension // 2 + k + 1
        cubic = (n**3 + 9 * n**2 + 23 * n + 15) / 15
        factors: tuple[tuple[float, ...], ...] = (
            (1.0,),
            (1.0, n + 1.0),
            (1.0, n + 2.0, (n**2 + 4 * n + 3) / 3),
            (1.0, n + 3.0, (6 * n**2 + 36 * n + 45) / 15, cubic),
        )
        return n + k, factors[k]

    @cached_property
    def _slope_form(self) -> Floats:
        """Coefficients of ((1 - r) q' - e q) / -r; one too many, and singular, for C0."""
        exponent, factor = self._form
        rise = polynomial.polymul([1.0, -1.0], polynomial.polyder(factor))
        return np.asarray(-polynomial.polysub(rise, polynomial.polymul([exponent], factor)))

    def scaled(self, X: Any) -> Any:
        """The table in units of the radius of the support."""
        if X.shape[1] > self.dimension:
            raise check.fail(
                self, "X", f"of at most {self.dimension} columns (dimension)", X.shape[1]
            )
        return super().scaled(X)

    def profile(self, s: Floats) -> Floats:
        r = np.minimum(np.sqrt(s), 1.0)
        exponent, factor = self._form
        return (1.0 - r) ** exponent * polynomial.polyval(r, factor)

    def slope(self, s: Floats) -> Floats:
        r = np.minimum(np.sqrt(s), 1.0)
        fall = (1.0 - r) ** (self._form[0] - 1)
        if self.smoothness:
            return fall * polynomial.polyval(r, self._slope_form[1:])
        slopes = fall * self._slope_form[0] / np.maximum(r, TINY_RADIUS)
        return np.where((r > 0) & (r < 1), slopes, 0.0)

    def _reach(self) -> tuple[float, float]:
        return 2.0, 1.0

    def _at(self, differences: Floats) -> Floats:
        return self.profile(np.einsum("ij,ij->i", differences, differences))
