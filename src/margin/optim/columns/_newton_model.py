"""Newton models of a smooth loss by columns: the quadratic that a prox-Newton step minimises."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats, Indices
from margin.linalg import gram
from margin.native.columns import columns
from margin.native.columns.coordinate import column_descent, gram_descent
from margin.native.rows import products
from margin.optim.columns._squares import Shrinkage

_MOST_EPOCHS = 50
_SMALL_GRAM = 300
_ROWS = 4096


@dataclass(frozen=True)
class ModelStep:
    """Minimiser of a model: coefficients of the index, step of the intercept, change of scores.

    ``violation`` is the largest violation of an optimality condition before the step.
    """

    w: Floats
    shift: float
    image: Floats
    violation: float
    epochs: int


class NewtonModel(ABC):
    r"""The quadratic :math:`v^\top u + \tfrac12 u^\top \mathrm{diag}(h)\, u` of score changes
    :math:`u = X d + b`.
    """

    def __init__(self, X: Any, *, intercept: bool, n_threads: int = 1) -> None:
        self.X, self.shape, self.intercept, self.n_threads = X, X.shape, intercept, n_threads

    @abstractmethod
    def correlate(self, v: Floats) -> Floats:
        """Products of all columns with a vector."""

    @abstractmethod
    def step(
        self, index: Indices, w: Floats, h: Floats, v: Floats, penalty: Shrinkage, tol: float
    ) -> ModelStep:
        """Minimise model plus penalty over the coefficients of that index (all of ``w`` given)."""


class SparseModel(NewtonModel):
    """Compressed columns (CSC)."""

    def correlate(self, v: Floats) -> Floats:
        return products.csr_product(self.X.T, v[:, None], self.n_threads)[:, 0]

    def step(
        self, index: Indices, w: Floats, h: Floats, v: Floats, penalty: Shrinkage, tol: float
    ) -> ModelStep:
        image = np.zeros(self.shape[0])
        moved, sweeps = _by_columns(self, self.X, index, w[index], h, v, penalty, tol)
        columns.add_columns(self.X, index, moved - w[index], image)
        return ModelStep(moved, sweeps.shift, image + sweeps.shift, sweeps.first, sweeps.sweeps)


class DenseModel(NewtonModel):
    """A dense matrix in either order; columns are gathered when they are first needed."""

    def __init__(self, X: Any, *, intercept: bool, n_threads: int = 1) -> None:
        super().__init__(X, intercept=intercept, n_threads=n_threads)
        n, p = self.shape
        self.full = p <= min(n, _SMALL_GRAM)
        self.position = np.full(p, -1)
        self.held = 0
        self.columns = np.empty((0, n))
        self.origin = np.zeros(p)

    def correlate(self, v: Floats) -> Floats:
        return columns.correlate(self.X, v, self.origin, self.n_threads)

    def step(
        self, index: Indices, w: Floats, h: Floats, v: Floats, penalty: Shrinkage, tol: float
    ) -> ModelStep:
        if self.full:
            return self._by_gram(index, w, h, v, penalty, tol)
        self._include(index)
        at = self.position[index]
        moved, sweeps = _by_columns(self, self.columns, at, w[index], h, v, penalty, tol)
        change = np.zeros(self.held)
        change[at] = moved - w[index]
        image = np.full(self.shape[0], sweeps.shift)
        columns.add_rows(self.columns, change, image)
        return ModelStep(moved, sweeps.shift, image, sweeps.first, sweeps.sweeps)

    def _by_gram(
        self, index: Indices, w: Floats, h: Floats, v: Floats, penalty: Shrinkage, tol: float
    ) -> ModelStep:
        total, lean = float(h.sum()), float(v.sum())
        mean = self.correlate(h) / total if self.intercept else self.origin
        whole, _ = gram(self.X, h, mean)
        matrix = np.ascontiguousarray(whole[np.ix_(index, index)])
        slope = self.correlate(v)[index] - lean * mean[index]
        moved, q = w[index], matrix @ w[index] - slope
        violation = float(penalty.violation(moved, slope).max(initial=0.0))
        epochs, _ = gram_descent(
            matrix,
            q,
            moved,
            slope,
            0.0,
            penalty.l1,
            penalty.l2,
            positive=penalty.positive,
            max_epochs=20 * _MOST_EPOCHS,
            gap_tol=-1.0,
            slope_tol=tol,
        )
        change = np.zeros(self.shape[1])
        change[index] = moved - w[index]
        shift = -lean / total - float(mean @ change) if self.intercept else 0.0
        image = np.empty(self.shape[0])
        for at in range(0, len(image), _ROWS):
            image[at : at + _ROWS] = self.X[at : at + _ROWS] @ change
        return ModelStep(moved, shift, image + shift, violation, epochs)

    def _include(self, index: Indices) -> None:
        new = index[self.position[index] < 0]
        if not len(new):
            return
        n, m = self.shape[0], self.held + len(new)
        if m > len(self.columns):
            longer = np.empty((min(max(3 * self.held // 2, m), self.shape[1]), n))
            longer[: self.held] = self.columns[: self.held]
            self.columns = longer
        rows, _ = columns.gather_columns(self.X, new, np.ones(n), False)
        self.columns[self.held : m] = rows
        self.position[new] = np.arange(self.held, m)
        self.held = m


def newton_model(X: Any, *, intercept: bool, n_threads: int = 1) -> NewtonModel:
    """The model for the kind of data; sparse data as CSC."""
    if issparse(X):
        return SparseModel(X, intercept=intercept, n_threads=n_threads)
    X = X if X.itemsize in X.strides else np.ascontiguousarray(X)
    return DenseModel(X, intercept=intercept, n_threads=n_threads)


def _by_columns(
    model: NewtonModel,
    matrix: Any,
    index: Indices,
    w: Floats,
    h: Floats,
    v: Floats,
    penalty: Shrinkage,
    tol: float,
) -> tuple[Floats, Any]:
    first, second = columns.weighted_moments(matrix, index, h, model.n_threads)
    total = float(h.sum())
    mean = first / total if model.intercept else None
    if mean is not None:
        second = np.where(second - total * mean**2 > 1e-14 * second, second - total * mean**2, 0.0)
    moved = w.copy()
    sweeps = column_descent(
        matrix,
        index,
        mean,
        second,
        h,
        moved,
        v.copy(),
        penalty.l1,
        penalty.l2,
        positive=penalty.positive,
        max_epochs=_MOST_EPOCHS,
        tol=tol,
    )
    return moved, sweeps
