"""Bins: how the columns of a table become small integers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core.types import Bools, Floats, Indices, Ints, Matrix
from margin.native.trees.bins import (
    BinnedTable,
    column_codes,
    encode_bins,
    quantile_cuts,
    table_of_codes,
)

MOST_BINS = 255
SAMPLE = 200_000
_BLOCK = 1 << 20  # entries of a sparse table that are made dense at a time


@dataclass(frozen=True, eq=False)
class Bins:
    """At most 255 bins per column and one more for missing values.

    A numeric column is cut at quantiles of (a sample of) its values: value ``x`` has the code
    ``searchsorted(cuts, x)``, so that ``code <= b`` if and only if ``x <= cuts[b]``. A categorical
    column holds the numbers 0, 1, … of its categories; the most frequent ones have a bin each.
    Rare, unseen and missing ones share the bin for missing values, whose code is ``n_bins``.

    Parameters
    ----------
    cuts : array of float64
        Cuts of all columns, one column after another, rising in each.
    cut_offsets : array of int64, shape (n_features + 1,)
        Where the cuts of each column start.
    n_bins : array of int32, shape (n_features,)
        Bins of each column, without that for missing values.
    categorical : array of bool, shape (n_features,)
        Which columns hold categories.
    code_bins : array of uint8
        Bin of every category, one categorical column after another.
    code_offsets : array of int64, shape (n_features + 1,)
        Where the categories of each column start.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0], [2.0], [2.0], [np.nan]])
    >>> bins = Bins.of(X)
    >>> bins.cuts, bins.codes(X).ravel()
    (array([1.5]), array([0, 1, 1, 2], dtype=uint8))
    """

    cuts: Floats
    cut_offsets: Indices
    n_bins: Ints
    categorical: Bools
    code_bins: NDArray[np.uint8]
    code_offsets: Indices

    @classmethod
    def of(
        cls,
        X: Matrix,
        *,
        weight: Floats | None = None,
        max_bins: int = MOST_BINS,
        categorical: Bools | None = None,
        sample: int = SAMPLE,
        rng: np.random.Generator | None = None,
        n_threads: int = 1,
    ) -> Bins:
        """Bins of a table of float32 or float64; rows without weight are not looked at.

        A sparse table is made dense a few columns at a time.

        Quantiles of numeric columns come from at most ``sample`` rows drawn by ``rng``; categories
        are counted in all rows.
        """
        n, p = X.shape
        if categorical is None:
            categorical = np.zeros(p, dtype=np.bool_)
        rows = _sampled(n, weight, sample, rng or np.random.default_rng(0))
        columns = _cuts(X, rows, weight, max_bins, categorical, n_threads)
        n_bins = np.array([len(own) + 1 for own in columns], dtype=np.int32)
        codes = [np.empty(0, dtype=np.uint8)] * p
        for j in np.flatnonzero(categorical):
            column = X[:, [j]].toarray()[:, 0] if issparse(X) else X[:, j]
            codes[j], n_bins[j] = _category_bins(column, weight, max_bins)
        return cls(
            cuts=np.concatenate([np.empty(0), *columns]),
            cut_offsets=_offsets(columns),
            n_bins=n_bins,
            categorical=np.array(categorical, dtype=np.bool_),
            code_bins=np.concatenate([np.empty(0, dtype=np.uint8), *codes]),
            code_offsets=_offsets(codes),
        )

    @property
    def n_features(self) -> int:
        """Columns of the tables that can be encoded."""
        return len(self.n_bins)

    def cuts_of(self, j: int) -> Floats:
        """Cuts of a column, rising."""
        return self.cuts[self.cut_offsets[j] : self.cut_offsets[j + 1]]

    def category_bins_of(self, j: int) -> NDArray[np.uint8]:
        """Bin of every category of a column."""
        return self.code_bins[self.code_offsets[j] : self.code_offsets[j + 1]]

    def encode(self, X: Matrix, n_threads: int = 1) -> BinnedTable:
        """The table that trees are grown on: two bytes per entry."""
        if issparse(X):
            return self._encode_sparse(X, n_threads)
        return encode_bins(
            X,
            self.cut_offsets,
            self.cuts,
            self.code_offsets,
            self.code_bins,
            self.n_bins,
            self.categorical,
            n_threads,
        )

    def _encode_sparse(self, X: Any, n_threads: int) -> BinnedTable:
        """The same, made dense a few rows at a time."""
        rows = X.tocsr()
        n, p = rows.shape
        codes = np.empty((p, n), dtype=np.uint8)
        step = max(1, _BLOCK // max(p, 1))
        for start in range(0, n, step):
            part = slice(start, start + step)
            codes[:, part] = column_codes(self.encode(rows[part].toarray(), n_threads))
        return table_of_codes(codes, self.n_bins, self.categorical, n_threads)

    def codes(self, X: NDArray[Any]) -> NDArray[np.uint8]:
        """The codes themselves, of the shape of ``X``."""
        out = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
        self.encode(X).copy_codes(out)
        return out.T

    @cached_property
    def words(self) -> Ints:
        """Words of a set of categories of each column, 0 where there are none."""
        return (-(-np.diff(self.code_offsets) // 32)).astype(np.int32)


def _sampled(n: int, weight: Floats | None, most: int, rng: np.random.Generator) -> Indices:
    """Rows of positive weight in rising order, at most so many, drawn without replacement."""
    some = None if weight is None else np.flatnonzero(weight > 0)
    size = n if some is None else len(some)
    if size <= most:
        return np.arange(n) if some is None else some
    drawn = np.sort(rng.choice(size, most, replace=False))
    return drawn if some is None else some[drawn]


def _cuts(
    X: Matrix,
    rows: Indices,
    weight: Floats | None,
    max_bins: int,
    categorical: Any,
    n_threads: int,
) -> list[Floats]:
    skip = np.asarray(categorical, dtype=np.bool_)
    if not issparse(X):
        return quantile_cuts(X, rows, weight, max_bins, skip, n_threads)
    columns = X.tocsr()[rows].tocsc()
    some = None if weight is None else np.ascontiguousarray(weight[rows])
    every = np.arange(len(rows), dtype=np.int64)
    step = max(1, _BLOCK // max(len(rows), 1))
    cuts: list[Floats] = []
    for start in range(0, X.shape[1], step):
        part = slice(start, start + step)
        dense = columns[:, part].toarray(order="F")
        cuts += quantile_cuts(dense, every, some, max_bins, skip[part], n_threads)
    return cuts


def _offsets(parts: list[Any]) -> Indices:
    return np.cumsum([0, *(len(part) for part in parts)]).astype(np.int64)


def _category_bins(
    column: NDArray[Any], weight: Floats | None, max_bins: int
) -> tuple[NDArray[np.uint8], int]:
    """Bin of every category up to the largest one seen, and the number of bins."""
    known = column >= 0  # NaN compares false
    codes = column[known].astype(np.int64)
    counts = np.bincount(codes, None if weight is None else weight[known])
    kept = np.flatnonzero(counts > 0)
    if len(kept) > max_bins:
        # The most frequent, earlier ones first among equals.
        kept = np.sort(kept[np.argsort(-counts[kept], kind="stable")[:max_bins]])
    bins = np.full(len(counts), len(kept), dtype=np.uint8)
    bins[kept] = np.arange(len(kept), dtype=np.uint8)
    return bins, len(kept)
