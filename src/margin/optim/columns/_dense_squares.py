"""Least squares by columns of a dense matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Indices
from margin.linalg import gram, scatter
from margin.native.columns import columns
from margin.native.columns.coordinate import gram_descent, gram_path
from margin.optim.columns._squares import MOST_SWEEPS, Fitted, Goal, Minima, Shrinkage, Squares

_ROWS = 4096
_FAR = 1e4
_ROUNDING = 1e-13


class DenseSquares(Squares):
    """Gram matrix of the columns met so far, grown as the working set grows.

    Columns are gathered when they are first needed, so ``X`` may be in either order and is never
    copied as a whole; products with all columns are one pass over ``X``. With ``full_gram`` the
    whole Gram matrix is made at once from chunks of rows and no column is kept, which suits many
    more rows than columns.
    """

    def __init__(
        self,
        X: NDArray[Any],
        y: Floats,
        weight: Floats | None,
        *,
        intercept: bool,
        n_threads: int = 1,
        full_gram: bool = False,
    ) -> None:
        super().__init__(X, y, weight, intercept=intercept, n_threads=n_threads)
        n, p = self.shape
        self.position = np.full(p, -1)
        self.members: Indices = np.empty(0, dtype=np.int64)
        self.columns = np.empty((0, n))
        self.gram = np.empty((0, 0))
        self.mean = np.zeros(p)
        # Any row will do: residuals have mean zero, and columns that do not vary give exact zeros.
        self.shift = np.asarray(X[0], dtype=np.float64) if intercept else np.zeros(p)
        self.full, self.near = full_gram, True
        if full_gram:
            self._take_everything()
        else:
            self.start = self.correlations(self.target)

    def correlations(self, residual: Floats) -> Floats:
        return columns.correlate(self.X, self.root * residual, self.shift, self.n_threads)

    def residual(self, w: Floats) -> Floats:
        if not self.full:
            left = self.target.copy()
            columns.add_rows(self.columns, -w[self.members], left)
            return left
        fitted = np.empty(self.shape[0])
        level = float(self.mean @ w)
        for at in range(0, self.shape[0], _ROWS):
            part = self.X[at : at + _ROWS]
            if self.near:
                fitted[at : at + _ROWS] = part @ w - level
            else:
                fitted[at : at + _ROWS] = (part - self.mean) @ w
        left = self.target - self.root * fitted
        if self.intercept:
            # Means of columns far from zero are rounded; what they leave would count as slope.
            left -= self.root * (float(self.root @ left) / self.total)
        return np.asarray(left)

    def fitted(self, w: Floats, *, exact: bool = True) -> Fitted:
        if exact or not self.full:
            return super().fitted(w)
        c = self.start - self.gram @ w
        along = self.energy - float(self.start @ w)
        return Fitted(along, max(along - float(c @ w), 0.0), c)

    def rounding(self, w: Floats) -> float:
        if not self.full:
            return np.inf
        return _ROUNDING * (self.energy + 2.0 * float(np.abs(self.start) @ np.abs(w)))

    def solve(
        self, index: Indices, w: Floats, penalty: Shrinkage, goal: Goal, most: int = MOST_SWEEPS
    ) -> int:
        self._include(index)
        q, inner = self.start[self.members], w[self.members]
        rounding = 1e-15 * float(np.abs(q).max(initial=0.0))
        epochs, _ = gram_descent(
            self.gram,
            q,
            inner,
            np.empty_like(q),
            self.energy,
            penalty.l1,
            penalty.l2,
            positive=penalty.positive,
            max_epochs=min(most, MOST_SWEEPS),
            gap_tol=goal.gap,
            slope_tol=max(goal.violation, rounding),
        )
        w[self.members] = inner
        return epochs

    def whole_path(self, penalties: list[Shrinkage], gap: float, most: int) -> Minima | None:
        if not self.full:
            return None
        coefs, gaps, epochs = gram_path(
            self.gram,
            self.start,
            self.energy,
            np.array([penalty.l1 for penalty in penalties]),
            np.array([penalty.l2 for penalty in penalties]),
            positive=penalties[0].positive,
            max_epochs=most,
            gap_tol=gap,
            slope_tol=1e-15 * float(np.abs(self.start).max(initial=0.0)),
        )
        along = coefs @ self.start
        squares = self.energy - 2.0 * along + np.einsum("kj,kj->k", coefs @ self.gram, coefs)
        sizes = np.array([p.value(w) for p, w in zip(penalties, coefs, strict=True)])
        return Minima(coefs.T, 0.5 * np.maximum(squares, 0.0) + sizes, gaps, epochs)

    def _take_everything(self) -> None:
        weight: Floats | None
        weight, scale = self.weight, 1.0
        if weight[0] > 0 and (weight == weight[0]).all():
            weight, scale = None, float(self.weight[0])  # equal weights need no products
            y = self.target / self.root[0]
        else:
            y = np.divide(self.target, self.root, out=np.zeros(self.shape[0]), where=self.root > 0)
        if self.intercept:
            self.mean, products, sums = scatter(self.X, y[:, None], weight, self.n_threads)
        else:
            products, moments = gram(self.X, weight, None, y[:, None], n_threads=self.n_threads)
            assert moments is not None
            sums = moments
        self.gram, self.start = scale * np.ascontiguousarray(products), scale * sums[:, 0]
        self.members = self.position = np.arange(self.shape[1])
        # Far from zero the rounding of the products would show in what is left of them.
        self.near = bool((self.total * self.mean**2 <= _FAR * self.gram.diagonal()).all())

    def _include(self, index: Indices) -> None:
        """Gather columns not met before, and their products with everything held."""
        new = index[self.position[index] < 0]
        if not len(new):
            return
        held, m = len(self.members), len(self.members) + len(new)
        if m > len(self.gram):
            self._make_room(min(max(3 * held // 2, m), self.shape[1]))
        rows, self.mean[new] = columns.gather_columns(self.X, new, self.root, self.intercept)
        self.columns[held:m] = rows
        block = self.columns[:m] @ rows.T
        self.gram[:m, held:m] = block
        self.gram[held:m, :m] = block.T
        self.position[new] = np.arange(held, m)
        self.members = np.concatenate([self.members, new])

    def _make_room(self, room: int) -> None:
        held = len(self.members)
        wider, longer = np.empty((room, room)), np.empty((room, self.shape[0]))
        wider[:held, :held] = self.gram[:held, :held]
        longer[:held] = self.columns[:held]
        self.gram, self.columns = wider, longer
