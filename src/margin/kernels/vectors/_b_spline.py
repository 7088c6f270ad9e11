"""B-spline kernels."""

from dataclasses import dataclass
from math import comb, factorial
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._separable_compact import SeparableCompact


@dataclass(frozen=True)
class BSpline(SeparableCompact):
    r"""Centred B-spline of the difference: :math:`B_d = B_0 * B_{d-1}` (kernels.15).

    .. math:: B_0(u) = [|u| < \tfrac12], \qquad
        B_d(u) = \frac1{d!} \sum_{k=0}^{d+1} (-1)^k \binom{d+1}{k}
        \Bigl(u + \tfrac{d+1}2 - k\Bigr)_+^d .

    Odd degrees are positive definite: their Fourier transform is an even power of a sinc. Even
    degrees are so on the grid of the length scale only (``definite`` is ``"grid"``). At the
    integers :math:`B_2` has the values 1/8, 3/4, 1/8 and :math:`B_3` has 1/6, 2/3, 1/6.

    Parameters
    ----------
    length_scale : float or sequence of float
        Spacing of the knots, one for all columns or one each.
    degree : int
        Degree ``d`` of the pieces, from 0 to 9.

    Examples
    --------
    >>> BSpline(degree=3)([[0.0]], [[-1.0], [0.0], [1.0], [2.0]]).round(6)
    array([[0.166667, 0.666667, 0.166667, 0.      ]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    degree: int = 3
    hyper: ClassVar[tuple[str, ...]] = ("length_scale",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.params(self, one_of={"degree": tuple(range(10))})

    @property
    def definite(self) -> Any:  # type: ignore[override]
        """Everywhere for odd degrees, on the grid for even ones."""
        return "positive" if self.degree % 2 else "grid"

    def profile(self, u: Floats) -> Floats:
        return b_spline(u, self.degree)

    def profile_slope(self, u: Floats) -> Floats:
        if self.degree == 0:
            return np.zeros_like(u)
        # The derivative of a spline is a difference of splines of one degree less.
        lower = self.degree - 1
        return b_spline(u + 0.5, lower) - b_spline(u - 0.5, lower)

    def _half_width(self) -> float:
        return 0.5 * (self.degree + 1)


def b_spline(u: Floats, degree: int) -> Floats:
    """Centred B-spline; from the nearer end, where the truncated powers do not cancel.

    Examples
    --------
    >>> import numpy as np
    >>> b_spline(np.array([-1.0, 0.0, 1.0]), 2)
    array([0.125, 0.75 , 0.125])
    """
    half = 0.5 * (degree + 1)
    if degree == 0:
        # Half at the ends: symmetric, and neighbours on a grid still add up to one.
        return (0.5 * (np.abs(u) < 0.5) + 0.5 * (np.abs(u) <= 0.5)).astype(u.dtype)
    inside = half - np.abs(u)
    total = np.zeros_like(u)
    for k in range(degree // 2 + 1):
        total += (-1) ** k * comb(degree + 1, k) * np.maximum(inside - k, 0.0) ** degree
    return total / factorial(degree)
