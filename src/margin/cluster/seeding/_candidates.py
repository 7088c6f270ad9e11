"""What is asked of a table to choose starting centres among its rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms

from margin.core.types import Array, Floats, Indices
from margin.native.cluster.centres import nearer


class Candidates(ABC):
    """Rows among which centres are chosen, in memory or not."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any]:
        """The precision that centres are shown in."""

    @abstractmethod
    def rows(self, numbers: Indices | Sequence[int]) -> Floats:
        """Rows by number, dense, in double precision."""

    @abstractmethod
    def nearer(self, least: Floats, numbers: Sequence[int]) -> list[Floats]:
        """The least of ``least`` and the squared distances to a row, for each of some rows."""

    @abstractmethod
    def sums(self, label: Indices, weight: Floats, k: int) -> Floats:
        """Weighted sums of the rows of every label, of shape (k, p)."""

    @abstractmethod
    def mapped(self, change: Callable[[Any], Any]) -> Self:
        """The same rows after a change of each."""

    @abstractmethod
    def each(self, ask: Callable[[Any], Any]) -> list[Any]:
        """What is asked of every block of rows; of one, where all are in memory."""


@dataclass(frozen=True, eq=False)
class TableCandidates(Candidates):
    """The rows of a table in memory.

    Parameters
    ----------
    X : ndarray or sparse matrix
    n_threads : int

    Examples
    --------
    >>> table = TableCandidates(np.array([[0.0], [1.0], [5.0]]), 1)
    >>> table.nearer(np.full(3, np.inf), [0, 2])
    [array([ 0.,  1., 25.]), array([25., 16.,  0.])]
    """

    X: Any
    n_threads: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return int(self.X.shape[0]), int(self.X.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of the table."""
        dtype: np.dtype[Any] = self.X.dtype
        return dtype

    def rows(self, numbers: Indices | Sequence[int]) -> Floats:
        """Rows by number, dense, in double precision."""
        return dense(self.X[np.asarray(numbers)]).astype(np.float64)

    def nearer(self, least: Floats, numbers: Sequence[int]) -> list[Floats]:
        """The least of ``least`` and the squared distances to a row, for each of some rows."""
        return nearer_rows(self.X, self.rows(numbers), least, self.n_threads)

    def sums(self, label: Indices, weight: Floats, k: int) -> Floats:
        """Weighted sums of the rows of every label, of shape (k, p)."""
        return label_sums(self.X, label, weight, k)

    def mapped(self, change: Callable[[Any], Any]) -> Self:
        """The same rows after a change of each."""
        return type(self)(change(self.X), self.n_threads)

    def each(self, ask: Callable[[Any], Any]) -> list[Any]:
        """What is asked of all rows, as a list of one."""
        return [ask(self.X)]


def nearer_rows(X: Any, points: Floats, least: Floats, n_threads: int) -> list[Floats]:
    """The least of ``least`` and the squared distances to a point, for each of some points."""
    if not issparse(X):
        return [nearer(X, point, least, n_threads) for point in points]
    norms = row_norms(X, squared=True).astype(np.float64)
    options = []
    for point in points:
        size = float(point @ point)
        away = norms - 2.0 * np.asarray(X @ point) + size
        away[away < 1e-12 * (norms + size)] = 0.0
        options.append(np.asarray(np.minimum(least, away)))
    return options


def label_sums(X: Any, label: Indices, weight: Floats, k: int) -> Floats:
    """Weighted sums of the rows of every label."""
    hot = csr_array((weight, (label, np.arange(len(label)))), shape=(k, len(label)))
    return np.asarray(dense(hot @ X), dtype=np.float64)


def dense(rows: Any) -> Array:
    """Rows as an array."""
    return np.asarray(rows.toarray() if issparse(rows) else rows)
