"""Constraint on the sum of absolute values."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty

_ON_EDGE = 1e-9


@dataclass(frozen=True)
class L1Ball(Penalty):
    r"""The constraint :math:`\|w\|_1 \le s`, as a penalty of 0 inside and infinity outside.

    The constraint form of the lasso (penalties.07): with :math:`s = \|w_\lambda\|_1` it has the
    minimiser of the penalty form. The proximal operator is the projection: the soft threshold
    whose level makes the sum equal to the budget, found by sorting.

    Parameters
    ----------
    budget : float
        Largest sum :math:`s`, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> L1Ball(2.0).prox(np.array([3.0, -2.0, 0.5]), step=1.0)
    array([ 1.5, -0.5,  0. ])
    """

    budget: float
    smooth: ClassVar[bool] = False
    separable: ClassVar[bool] = False
    finite: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, positive="budget")

    def value(self, w: Floats) -> float:
        return 0.0 if float(np.abs(w).sum()) <= self.budget * (1.0 + _ON_EDGE) else np.inf

    def gradient(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def least_subgradient(self, w: Floats, slope: Floats) -> Floats:
        if float(np.abs(w).sum()) < self.budget * (1.0 - _ON_EDGE):
            return slope.copy()
        level = self._level(w, slope)
        at_zero = np.sign(slope) * np.maximum(np.abs(slope) - level, 0.0)
        return np.where(w == 0.0, at_zero, slope + level * np.sign(w))

    def _level(self, w: Floats, slope: Floats) -> float:
        """The multiplier of the constraint that leaves the least subgradient."""
        moving = w != 0.0
        still = np.sort(np.abs(slope[~moving]))[::-1]
        total, count = -float(np.sum(np.sign(w[moving]) * slope[moving])), int(moving.sum())
        level = total / max(count, 1)
        # Least squares of |slope| - level over the moving entries and those still above it.
        for size in still:
            if size <= level:
                break
            total, count = total + float(size), count + 1
            level = total / count
        return max(level, 0.0)

    def curvature(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def prox(self, w: Floats, step: float) -> Floats:
        size = np.abs(w)
        if float(size.sum()) <= self.budget:
            return w.copy()
        order = np.sort(size, axis=None)[::-1]
        levels = (np.cumsum(order) - self.budget) / np.arange(1, order.size + 1)
        level = levels[np.flatnonzero(order > levels)[-1]]
        return np.where(size > level, np.sign(w) * (size - level), 0.0)
