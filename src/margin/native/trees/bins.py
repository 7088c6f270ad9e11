"""Cuts at quantiles of columns, and tables of codes between them.

A ``BinnedTable`` holds one byte per entry, twice: in groups of sixteen columns for histograms and
column by column for splits. The code of a missing value is the number of bins of its column.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Bools = NDArray[np.bool_]

BinnedTable = _native.BinnedTable


def quantile_cuts(
    X: NDArray[Any],
    rows: Indices,
    weight: Floats | None,
    max_bins: int,
    skip: Bools,
    n_threads: int,
) -> list[Floats]:
    """Rising cuts of every column that is not skipped, from the chosen rows.

    All gaps between distinct values if there are at most ``max_bins`` of these; otherwise bins of
    nearly equal weight. A value belongs to the first bin whose cut is not below it.
    """
    cuts = _native.quantile_cuts(X, rows, weight, max_bins, skip, n_threads)
    return [np.array(own, dtype=np.float64) for own in cuts]


def encode_bins(
    X: NDArray[Any],
    cut_offsets: Indices,
    cuts: Floats,
    code_offsets: Indices,
    code_bins: NDArray[np.uint8],
    n_bins: NDArray[np.int32],
    categorical: Bools,
    n_threads: int,
) -> BinnedTable:
    """Codes of all entries of ``X``."""
    return _native.encode_bins(
        X, cut_offsets, cuts, code_offsets, code_bins, n_bins, categorical, n_threads
    )


def table_of_codes(
    codes: NDArray[np.uint8], n_bins: NDArray[np.int32], categorical: Bools, n_threads: int
) -> BinnedTable:
    """The table of codes that are known already, one row of ``codes`` per column."""
    return _native.table_of_codes(codes, n_bins, categorical, n_threads)


def column_codes(table: BinnedTable) -> NDArray[np.uint8]:
    """The codes of a table, one row per column."""
    out = np.empty((table.n_features, table.n_rows), dtype=np.uint8)
    table.copy_codes(out)
    return out
