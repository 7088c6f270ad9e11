"""A table about its mean, with weights, that is multiplied and never copied."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats, Matrix
from margin.linalg import row_gram, weighted_means

_FAR = 100.0


class Multiplied(Protocol):
    """A table that is seen through its products only, in memory or not."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""

    @property
    def mean(self) -> Floats:
        """What was subtracted from the rows."""

    def product(self, B: Floats) -> Floats:
        """The table times a matrix of p rows."""

    def transposed_product(self, B: Floats) -> Floats:
        """The transposed table times a matrix of n rows."""

    def total(self) -> float:
        """Sum of all squares."""


@dataclass(frozen=True, eq=False)
class CentredTable:
    r"""Rows :math:`\sqrt{w_i}\,(x_i - \bar x)`.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, p)
        In double precision.
    mean : ndarray of shape (p,)
        What is subtracted; zeros for a table as it is.
    root : ndarray of shape (n,) or None
        Square roots of the weights.
    """

    X: Matrix
    mean: Floats
    root: Floats | None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        n, p = self.X.shape
        return n, p

    def product(self, B: Floats) -> Floats:
        """The table times a matrix of p rows."""
        out: Floats = np.asarray(self.X @ B) - self.mean @ B
        return out if self.root is None else np.asarray((out.T * self.root).T)

    def transposed_product(self, B: Floats) -> Floats:
        """The transposed table times a matrix of n rows."""
        held = B if self.root is None else (B.T * self.root).T
        return np.asarray(self.X.T @ held - np.multiply.outer(self.mean, held.sum(axis=0)))

    def dense(self) -> Floats:
        """The table, written out."""
        X = self.X.toarray() if issparse(self.X) else self.X
        away = np.asarray(X - self.mean)
        return away if self.root is None else away * self.root[:, None]

    def row_products(self) -> Floats:
        """Scalar products of all pairs of rows."""
        K = row_gram(self.X, self.mean)
        return K if self.root is None else K * np.multiply.outer(self.root, self.root)

    def total(self) -> float:
        """Sum of all squares."""
        n, _ = self.shape
        weight = None if self.root is None else self.root**2
        if issparse(self.X):
            held = np.asarray(self.X.multiply(self.X).sum(axis=1)).ravel()
            cross = np.asarray(self.X @ self.mean)
            squares = held - 2 * cross + self.mean @ self.mean
            return float(squares.sum() if weight is None else weight @ squares)
        total = 0.0
        for start in range(0, n, 256):
            away = self.X[start : start + 256] - self.mean
            if weight is None:
                total += float(np.vdot(away, away))
            else:
                total += float(weight[start : start + 256] @ np.einsum("ij,ij->i", away, away))
        return total


def centred_table(X: Matrix, weight: Floats | None, *, centre: bool = True) -> CentredTable:
    """The table about its weighted mean.

    Where means are far larger than the spread, products of rows that are not centred would lose
    their digits: such a table is centred in a copy.

    Examples
    --------
    >>> table = centred_table(np.array([[1.0, 5.0], [3.0, 5.0]]), None)
    >>> table.mean, table.product(np.eye(2))
    (array([2., 5.]), array([[-1.,  0.],
           [ 1.,  0.]]))
    """
    root = None if weight is None else np.sqrt(weight)
    if issparse(X):
        X = X.astype(np.float64, copy=False)
        held = np.ones(X.shape[0]) if weight is None else weight
        mean = np.asarray(X.T @ held).ravel() / held.sum() if centre else np.zeros(X.shape[1])
        return CentredTable(X, mean, root)
    X = np.asarray(X, dtype=np.float64)
    if not centre:
        return CentredTable(X, np.zeros(X.shape[1]), root)
    mean = weighted_means(X, weight)
    some = X[:: max(1, len(X) // 256)] - mean
    spread = np.sqrt(np.mean(some * some, axis=0))
    spread = np.where(spread > 0, spread, spread.max(initial=0.0))
    if np.any(np.abs(mean) > _FAR * spread):
        # The second pass takes off what rounding left.
        away = X - mean
        rest = weighted_means(away, weight)
        away -= rest
        return _Shifted(away, np.zeros(len(mean)), root, mean + rest)
    return CentredTable(X, mean, root)


@dataclass(frozen=True, eq=False)
class _Shifted(CentredTable):
    """A table centred in a copy, which remembers its mean."""

    shift: Floats


def mean_of(table: Multiplied) -> Floats:
    """What was subtracted from the rows of the caller."""
    return table.shift if isinstance(table, _Shifted) else table.mean
