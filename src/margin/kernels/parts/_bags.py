"""Objects as bags of parts: the scalar product of how often each part occurs."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.native.kernels import counts

# A column held by more than this share of the rows is cheaper in a dense product.
DENSE_SHARE = 0.25
# Less than this many full columns are not worth a dense product.
DENSE_WORTH = 5.0
# Sums of integers up to here are exact in single precision.
SINGLE_EXACT = 2.0**24


@dataclass(frozen=True, eq=False)
class Bags:
    """Sparse rows of counts, one per object; columns are the parts, the same for all objects.

    Parameters
    ----------
    indptr, indices, values : ndarray
        Where each row starts, columns in any order without repetition, and counts.
    n_columns : int
        Number of different parts.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats
    n_columns: int

    @classmethod
    def of(cls, ids: NDArray[np.int32], offsets: NDArray[np.int64], n_columns: int) -> Self:
        """Count the numbered parts of every object."""
        return cls(*counts.count_rows(ids, offsets, n_columns), n_columns)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def rows(self, start: int, stop: int) -> Self:
        """Some consecutive objects."""
        first, last = self.indptr[start], self.indptr[stop]
        return replace(
            self,
            indptr=self.indptr[start : stop + 1] - first,
            indices=self.indices[first:last],
            values=self.values[first:last],
        )

    def weighted(self, weight: Floats) -> Self:
        """Parts that count ``weight`` each in the scalar product."""
        return replace(self, values=self.values * np.sqrt(weight)[self.indices])

    def squares(self) -> Floats:
        """Scalar product of every object with itself."""
        row = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        sums = np.bincount(row, weights=self.values**2, minlength=len(self))
        return sums.astype(np.float64, copy=False)

    def split(self, dense: NDArray[np.bool_], dtype: type) -> tuple[NDArray[Any], Self]:
        """Some columns as a dense table, and the rows that are left."""
        chosen = dense[self.indices]
        row = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        place = np.cumsum(dense) - 1
        table: NDArray[Any] = np.zeros((len(self), int(dense.sum())), dtype=dtype)
        table[row[chosen], place[self.indices[chosen]]] = self.values[chosen]
        left = np.concatenate([[0], np.cumsum(~chosen)])[self.indptr]
        rest = replace(
            self,
            indptr=left.astype(np.int64),
            indices=self.indices[~chosen],
            values=self.values[~chosen],
        )
        return table, rest

    def frequencies(self) -> NDArray[np.int64]:
        """Number of objects that hold each part."""
        return np.bincount(self.indices, minlength=self.n_columns)


def products(left: Bags, right: Bags | None, n_threads: int) -> Floats:
    """Scalar products of all rows; exactly symmetric without ``right``.

    Small counts are multiplied in blocks of rows where many rows hold the same parts. Else parts
    that many objects hold are multiplied as dense tables, the others along the lists of the objects
    that hold them.
    """
    n, m = len(left), len(left if right is None else right)
    out = np.empty((n, m))
    pair = None if right is None else _rows(right)
    if counts.small_products(_rows(left), pair, left.n_columns, out, n_threads):
        return out
    often = left.frequencies() / max(1, n)
    often *= often if right is None else right.frequencies() / max(1, m)
    dense = often > DENSE_SHARE**2
    fresh = float(often[dense].sum()) <= DENSE_WORTH
    if not fresh:
        dtype = np.float32 if _exact_in_single(left, right) else np.float64
        table, left = left.split(dense, dtype)
        if right is None:
            out[:] = table @ table.T
        else:
            other, right = right.split(dense, dtype)
            out[:] = table @ other.T
            pair = _rows(right)
    if fresh or len(left.indices):
        counts.add_products(_rows(left), pair, left.n_columns, out, n_threads, fresh=fresh)
    return out


def _rows(bags: Bags) -> counts.Rows:
    return bags.indptr, bags.indices, bags.values


def _exact_in_single(left: Bags, right: Bags | None) -> bool:
    """Whether all sums are of integers below 2^24, by the inequality of Cauchy and Schwarz."""
    largest = 1.0
    for bags in (left,) if right is None else (left, right):
        if not np.array_equal(bags.values, np.rint(bags.values)):
            return False
        largest = max(largest, float(bags.squares().max(initial=0.0)))
    return largest < SINGLE_EXACT
