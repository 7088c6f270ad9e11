"""Tables that k-means passes over: labels and sums, dense by compiled loops, sparse by products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms

from margin.core.types import Array, Floats
from margin.native.cluster import centres as native
from margin.native.cluster.centres import Pass

_BLOCK = 2**22  # entries of a block of distances


@dataclass(frozen=True, eq=False)
class DenseRows:
    """A dense table with the single-precision copies of its rows.

    Parameters
    ----------
    table : margin.native.cluster.centres.Table
    n_threads : int
    """

    table: native.Table
    n_threads: int

    def __call__(self, centres: Floats, label: Array | None = None, **bounds: Any) -> Pass:
        """Labels and sums for these centres."""
        return native.centre_pass(self.table, centres, label, n_threads=self.n_threads, **bounds)

    @property
    def weights(self) -> Floats:
        """The weight of every row."""
        weight = self.table.weight
        return np.ones(len(self.table.X)) if weight is None else weight

    def row(self, number: int) -> Floats:
        """One row, in double precision."""
        return np.asarray(self.table.X[number], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse table with the squared norms of its rows."""

    X: Any
    weights: Floats
    norms: Floats

    def __call__(self, centres: Floats, label: Array | None = None) -> Pass:
        """Labels and sums for these centres."""
        n, k = self.X.shape[0], len(centres)
        new, square = np.empty(n, dtype=np.int32), np.empty(n)
        own = np.einsum("ij,ij->i", centres, centres)
        step = max(1, _BLOCK // k)
        for first in range(0, n, step):
            rows = slice(first, min(n, first + step))
            # Products as a sparse matrix times a dense one: a row does not depend on its block.
            D = own - 2.0 * np.asarray(self.X[rows] @ centres.T)
            new[rows] = D.argmin(axis=1)
            square[rows] = D[np.arange(len(D)), new[rows]] + self.norms[rows]
        np.maximum(square, 0.0, out=square)
        hot = csr_array((self.weights, (new, np.arange(n))), shape=(k, n))
        sums = np.asarray((hot @ self.X).toarray(), dtype=np.float64)
        mass = np.bincount(new, weights=self.weights, minlength=k).astype(np.float64)
        changed = n if label is None else int(np.count_nonzero(new != label))
        return Pass(new, square, sums, mass, float(self.weights @ square), changed, n)

    def row(self, number: int) -> Floats:
        """One row, dense."""
        return np.asarray(self.X[[number]].toarray()[0], dtype=np.float64)


class Rows(Protocol):
    """What k-means asks of a table, in memory or not."""

    def __call__(self, centres: Floats, label: Array | None = None) -> Pass:
        """Labels and sums for these centres."""

    @property
    def weights(self) -> Floats:
        """The weight of every row."""

    def row(self, number: int) -> Floats:
        """One row, dense, in double precision."""


def rows_of(
    X: Any, weight: Floats | None, n_threads: int, *, packed: bool = False
) -> DenseRows | SparseRows:
    """The table, ready for passes; ``packed`` for many passes over all rows.

    Examples
    --------
    >>> import numpy as np
    >>> rows = rows_of(np.array([[0.0], [1.0], [9.0]]), None, 1)
    >>> found = rows(np.array([[0.0], [8.0]]))
    >>> found.label, found.inertia, found.sums.ravel()
    (array([0, 0, 1], dtype=int32), 2.0, array([1., 9.]))
    """
    if issparse(X):
        w = np.ones(X.shape[0]) if weight is None else weight
        wide = csr_array(X, dtype=np.float64)
        return SparseRows(wide, w, row_norms(wide, squared=True))
    return DenseRows(native.table(X, weight, packed=packed, n_threads=n_threads), n_threads)


def rows_near(X: Any, weight: Floats | None, centres: Floats, n_threads: int) -> Any:
    """The table for passes over centres near these, without a look at it before.

    Examples
    --------
    >>> import numpy as np
    >>> rows_near(np.array([[0.0], [9.0]]), None, np.array([[1.0]]), 1)(np.array([[2.0]])).inertia
    53.0
    """
    if issparse(X):
        return rows_of(X, weight, n_threads)
    return DenseRows(native.table_near(X, centres, weight), n_threads)


def pass_over(X: Any, weight: Floats | None, centres: Floats, n_threads: int) -> Pass:
    """One pass over a table that is not passed over again.

    Examples
    --------
    >>> import numpy as np
    >>> pass_over(np.array([[0.0], [1.0], [9.0]]), None, np.array([[0.0], [8.0]]), 1).inertia
    2.0
    """
    passed: Pass = rows_near(X, weight, centres, n_threads)(centres)
    return passed


def nearest_labels(X: Any, centres: Floats, n_threads: int) -> Array:
    """The nearest centre of every row, the first among equals.

    Examples
    --------
    >>> import numpy as np
    >>> nearest_labels(np.array([[0.0], [1.0], [9.0]]), np.array([[0.0], [8.0]]), 1)
    array([0, 0, 1], dtype=int32)
    """
    if issparse(X):
        return rows_of(X, None, n_threads)(centres).label
    return native.nearest_labels(X, centres, n_threads)
