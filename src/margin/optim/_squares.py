"""Least squares by columns: what coordinate descent asks of dense and of sparse data."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.linalg import gram, weighted_means
from margin.native import columns, products
from margin.native.coordinate import column_descent, gram_descent

Floats = NDArray[np.float64]
Index = NDArray[np.int64]

_MOST_EPOCHS = 1000
_FULL_GRAM = 128
_ROWS = 4096


class Squares(ABC):
    r"""The quadratic :math:`\tfrac12 \sum_i s_i (y_i - b - x_i^\top w)^2` with :math:`b` optimal.

    Attributes
    ----------
    shape : tuple of int
    target : ndarray of shape (n,)
        Centred targets times the roots of the weights.
    energy : float
        :math:`\sum_i s_i (y_i - \bar y)^2`.
    start : ndarray of shape (p,)
        Products of the centred columns with the targets: minus the slope at zero.
    """

    shape: tuple[int, int]
    root: Floats
    target: Floats
    y_mean: float
    energy: float
    start: Floats

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None, *, intercept: bool, n_threads: int
    ) -> None:
        self.X, self.shape, self.n_threads, self.intercept = X, X.shape, n_threads, intercept
        s = np.ones(len(y)) if weight is None else weight
        self.weight, self.total, self.root = s, float(s.sum()), np.sqrt(s)
        self.y_mean = float(s @ y / self.total) if intercept else 0.0
        self.target = self.root * (y - self.y_mean)
        self.energy = float(self.target @ self.target)

    @abstractmethod
    def correlations(self, residual: Floats) -> Floats:
        """Products of the weighted centred columns with a weighted residual: minus the slope."""

    @abstractmethod
    def residual(self, w: Floats) -> Floats:
        """Centred residual at ``w``, times the roots of the weights."""

    @abstractmethod
    def solve(
        self, index: Index, w: Floats, l1: float, l2: float, *, positive: bool, gap_tol: float
    ) -> int:
        """Minimise over the coefficients of that index, in place; the sweeps made."""

    @abstractmethod
    def intercept_of(self, w: Floats) -> float:
        """The optimal intercept for the coefficients."""


class DenseSquares(Squares):
    """Dense data: the Gram matrix of the columns met so far, grown as the working set grows."""

    def __init__(
        self,
        X: NDArray[Any],
        y: Floats,
        weight: Floats | None,
        *,
        intercept: bool,
        n_threads: int,
        full_gram: bool | None = None,
    ) -> None:
        super().__init__(X, y, weight, intercept=intercept, n_threads=n_threads)
        n, p = self.shape
        self.position = np.full(p, -1)
        self.members: Index = np.empty(0, dtype=np.int64)
        self.columns = np.empty((0, n))
        self.gram = np.empty((0, 0))
        self.mean = np.zeros(p)
        self.shift = np.asarray(X[0], dtype=np.float64) if intercept and n else np.zeros(p)
        self.full = p <= min(n, _FULL_GRAM) if full_gram is None else full_gram
        if self.full:
            self._take_everything()
        else:
            self.start = self.correlations(self.target)

    def _take_everything(self) -> None:
        p = self.shape[1]
        weight = self.weight
        if self.intercept:
            self.mean = weighted_means(self.X, weight)
        y = np.divide(self.target, self.root, out=np.zeros(self.shape[0]), where=self.root > 0)
        made, moments = gram(self.X, weight, self.mean, y[:, None])
        assert moments is not None
        self.gram, self.start = np.ascontiguousarray(made), moments[:, 0]
        self.members = self.position = np.arange(p)

    def correlations(self, residual: Floats) -> Floats:
        return columns.correlate(self.X, self.root * residual, self.shift, self.n_threads)

    def residual(self, w: Floats) -> Floats:
        if self.full:
            support = np.flatnonzero(w)
            rows = range(0, self.shape[0], _ROWS)
            parts = [self.X[at : at + _ROWS, support] @ w[support] for at in rows]
            fitted = np.concatenate(parts)
            return np.asarray(self.target - self.root * (fitted - self.mean @ w))
        return np.asarray(self.target - w[self.members] @ self.columns[: len(self.members)])

    def solve(
        self, index: Index, w: Floats, l1: float, l2: float, *, positive: bool, gap_tol: float
    ) -> int:
        self._include(index)
        members, q = self.members, self.start[self.members]
        inner = w[members]
        m = len(members)
        support = np.flatnonzero(inner)
        slope = inner[support] @ self.gram[support, :m] - q
        epochs, _ = gram_descent(
            self.gram,
            q,
            inner,
            slope,
            self.energy,
            l1,
            l2,
            positive=positive,
            max_epochs=_MOST_EPOCHS,
            gap_tol=gap_tol,
            slope_tol=1e-15 * np.abs(q).max(initial=0.0),
        )
        w[members] = inner
        return epochs

    def intercept_of(self, w: Floats) -> float:
        return self.y_mean - float(self.mean @ w)

    def _include(self, index: Index) -> None:
        """Gather columns not met before and their products with everything held."""
        new = index[self.position[index] < 0]
        if not len(new):
            return
        held, m = len(self.members), len(self.members) + len(new)
        if m > len(self.gram):
            self._grow(min(max(3 * held // 2, m), self.shape[1]))
        rows, self.mean[new] = columns.gather_columns(self.X, new, self.root, self.intercept)
        self.columns[held:m] = rows
        block = self.columns[:m] @ rows.T
        self.gram[:m, held:m] = block
        self.gram[held:m, :m] = block.T
        self.position[new] = np.arange(held, m)
        self.members = np.concatenate([self.members, new])

    def _grow(self, room: int) -> None:
        held = len(self.members)
        gram_, columns_ = np.empty((room, room)), np.empty((room, self.shape[0]))
        gram_[:held, :held] = self.gram[:held, :held]
        columns_[:held] = self.columns[:held]
        self.gram, self.columns = gram_, columns_


class SparseSquares(Squares):
    """Sparse data in compressed columns: residuals are updated, centring stays implicit."""

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None, *, intercept: bool, n_threads: int
    ) -> None:
        super().__init__(X, y, weight, intercept=intercept, n_threads=n_threads)
        everything = np.arange(self.shape[1])
        first, second = columns.weighted_moments(X, everything, self.weight, n_threads)
        self.mean = first / self.total if intercept else np.zeros(self.shape[1])
        self.curvature = second - self.total * self.mean**2
        # What is left of a column that equals its mean is rounding.
        self.curvature[self.curvature <= 1e-14 * second] = 0.0
        self.transposed = X.T
        self.start = self.correlations(self.target)

    def correlations(self, residual: Floats) -> Floats:
        v = self.root * residual
        found = products.csr_product(self.transposed, v[:, None], self.n_threads)[:, 0]
        return np.asarray(found - v.sum() * self.mean)

    def residual(self, w: Floats) -> Floats:
        support = np.flatnonzero(w)
        fitted = np.zeros(self.shape[0])
        columns.add_columns(self.X, support, w[support], fitted)
        return np.asarray(self.target - self.root * (fitted - self.mean @ w))

    def solve(
        self, index: Index, w: Floats, l1: float, l2: float, *, positive: bool, gap_tol: float
    ) -> int:
        inner = w[index]
        v = -self.root * self.residual(w)
        # A violation of e costs at most about e |w|_1 + (e / l1) energy in the gap.
        reach = np.abs(inner).sum() + self.energy / l1 if l1 > 0 else 1.0
        found = column_descent(
            self.X,
            index,
            self.mean[index] if self.intercept else None,
            self.curvature[index],
            self.weight,
            inner,
            v,
            l1,
            l2,
            positive=positive,
            max_epochs=_MOST_EPOCHS,
            tol=gap_tol / reach,
        )
        w[index] = inner
        return found.count

    def intercept_of(self, w: Floats) -> float:
        return self.y_mean - float(self.mean @ w)


def squares(
    X: Any,
    y: Floats,
    weight: Floats | None,
    *,
    intercept: bool,
    n_threads: int = 1,
    full_gram: bool | None = None,
) -> Squares:
    """The engine for the kind of data."""
    if issparse(X):
        return SparseSquares(X.tocsc(), y, weight, intercept=intercept, n_threads=n_threads)
    return DenseSquares(X, y, weight, intercept=intercept, n_threads=n_threads, full_gram=full_gram)
