"""Objects as bags of numbered parts: numbering, counting, scalar products of the counts."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Rows = tuple[Longs, Ints, Floats]
"""Sparse rows: where each starts, columns, values."""


def number_keys(keys: NDArray[np.uint64]) -> tuple[Ints, int]:
    """Consecutive numbers of 64-bit keys by first appearance, and how many there are."""
    out = np.empty(len(keys), dtype=np.int32)
    return out, int(_native.number_keys(keys, out))


def count_rows(ids: Ints, offsets: Longs, n_ids: int) -> Rows:
    """Distinct numbers of every ragged row with how often each occurs; negative ones are left out.

    The columns of a row are in order of first appearance.
    """
    indptr = np.empty(len(offsets), dtype=np.int64)
    indices = np.empty(len(ids), dtype=np.int32)
    counts = np.empty(len(ids))
    size = _native.count_rows(ids, offsets, n_ids, indptr, indices, counts)
    return indptr, indices[:size], counts[:size]


def add_products(
    left: Rows,
    right: Rows | None,
    n_columns: int,
    out: Floats,
    n_threads: int,
    *,
    fresh: bool = False,
) -> None:
    """Add the scalar products of sparse rows to ``out``; if ``fresh``, forget what was there.

    Without ``right`` those of the rows with each other: only what is below the diagonal of ``out``
    is added to, then copied above it.
    """
    other = left if right is None else right
    _native.count_products(*left, *other, n_columns, right is None, fresh, out, n_threads)


def small_products(
    left: Rows, right: Rows | None, n_columns: int, out: Floats, n_threads: int
) -> bool:
    """Write the scalar products of rows of small counts to ``out``, 64 rows at a time.

    Without ``right`` those of the rows with each other. Does nothing and returns false where values
    are no integers up to 255, squared norms reach 2 ** 16, or lists of rows are quicker.
    """
    other = left if right is None else right
    return bool(
        _native.small_count_products(*left, *other, n_columns, right is None, out, n_threads)
    )
