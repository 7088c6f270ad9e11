"""Bins: how the columns of a table become small integers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Bools, Floats, Indices, Ints
from margin.native.trees.bins import BinnedTable, encode_bins, quantile_cuts

MOST_BINS = 255
SAMPLE = 200_000


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
        X: NDArray[Any],
        *,
        weight: Floats | None = None,
        max_bins: int = MOST_BINS,
        categorical: Bools | None = None,
        sample: int = SAMPLE,
        rng: np.random.Generator | None = None,
        n_threads: int = 1,
    ) -> Bins:
        """Bins of a dense table, float32 or float64; rows without weight are not looked at.

        Quantiles of numeric columns come from at most ``sample`` rows drawn by ``rng``; categories
        are counted in all rows.
        """
        n, p = X.shape
        if categorical is None:
            categorical = np.zeros(p, dtype=np.bool_)
        rows = np.arange(n) if weight is None else np.flatnonzero(weight > 0)
        if len(rows) > sample:
            drawn = (rng or np.random.default_rng(0)).choice(len(rows), sample, replace=False)
            rows = rows[np.sort(drawn)]
        columns = quantile_cuts(
            X, rows.astype(np.int64), weight, max_bins, np.asarray(categorical), n_threads
        )
        n_bins = np.array([len(own) + 1 for own in columns], dtype=np.int32)
        codes = [np.empty(0, dtype=np.uint8)] * p
        for j in np.flatnonzero(categorical):
            codes[j], n_bins[j] = _category_bins(X[:, j], weight, max_bins)
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

    def encode(self, X: NDArray[Any], n_threads: int = 1) -> BinnedTable:
        """The table that trees are grown on: two bytes per entry."""
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

    def codes(self, X: NDArray[Any]) -> NDArray[np.uint8]:
        """The codes themselves, of the shape of ``X``."""
        out = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
        self.encode(X).copy_codes(out)
        return out.T

    @cached_property
    def words(self) -> Ints:
        """Words of a set of categories of each column, 0 where there are none."""
        return (-(-np.diff(self.code_offsets) // 32)).astype(np.int32)


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
