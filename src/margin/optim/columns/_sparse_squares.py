"""Least squares by columns of a sparse matrix."""

from typing import Any

import numpy as np

from margin.core.types import Floats, Indices
from margin.native.columns import columns
from margin.native.columns.coordinate import column_descent
from margin.native.rows import products
from margin.optim.columns._squares import MOST_SWEEPS, Goal, Shrinkage, Squares

_ROUNDING = 1e-14


class SparseSquares(Squares):
    """Compressed columns (CSC): residuals are kept up to date, centring stays implicit."""

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None, *, intercept: bool, n_threads: int = 1
    ) -> None:
        super().__init__(X, y, weight, intercept=intercept, n_threads=n_threads)
        everything = np.arange(self.shape[1])
        first, second = columns.weighted_moments(X, everything, self.weight, n_threads)
        self.mean = first / self.total if intercept else np.zeros(self.shape[1])
        self.curvature = second - self.total * self.mean**2
        # A column that does not vary: what is left is rounding.
        self.curvature[self.curvature <= _ROUNDING * second] = 0.0
        self.transposed = X.T
        self.start = self.correlations(self.target)

    def correlations(self, residual: Floats) -> Floats:
        v = self.root * residual
        sums = products.csr_product(self.transposed, v[:, None], self.n_threads)[:, 0]
        sums -= v.sum() * self.mean
        sums[self.curvature == 0.0] = 0.0
        return sums

    def residual(self, w: Floats) -> Floats:
        held = np.flatnonzero(w)
        fitted = np.zeros(self.shape[0])
        columns.add_columns(self.X, held, w[held], fitted)
        return np.asarray(self.target - self.root * (fitted - self.mean @ w))

    def solve(
        self, index: Indices, w: Floats, penalty: Shrinkage, goal: Goal, most: int = MOST_SWEEPS
    ) -> int:
        inner = w[index]
        v = -self.root * self.residual(w)
        sweeps, tol, most = 0, np.inf, min(most, MOST_SWEEPS)
        # The violation that a gap allows depends on the size of the answer: known afterwards.
        while sweeps < most:
            allowed = self._largest_violation(inner, v, penalty, goal)
            if allowed >= 0.5 * tol:
                break
            tol = allowed
            sweeps += column_descent(
                self.X,
                index,
                self.mean[index] if self.intercept else None,
                self.curvature[index],
                self.weight,
                inner,
                v,
                penalty.l1,
                penalty.l2,
                positive=penalty.positive,
                max_epochs=most - sweeps,
                tol=tol,
            ).sweeps
        w[index] = inner
        return sweeps

    def _largest_violation(self, w: Floats, v: Floats, penalty: Shrinkage, goal: Goal) -> float:
        r"""Violation :math:`e` that keeps the gap near the goal.

        To first order the gap is at most :math:`2 e \|w\|_1`, to second order
        :math:`\tfrac12 (e / l_1)^2 \|r\|^2`.
        """
        rounding = 1e-15 * float(np.abs(self.start).max(initial=0.0))
        if goal.gap < 0 or penalty.l1 == 0:
            return max(goal.violation, rounding)
        size = 4.0 * float(np.abs(w).sum())
        square = float(v @ np.divide(v, self.weight, out=np.zeros_like(v), where=self.weight > 0))
        first = goal.gap / size if size > 0 else np.inf
        second = penalty.l1 * np.sqrt(goal.gap / square) if square > 0 else np.inf
        return max(min(first, second), goal.violation, rounding)
