"""Tables of categories: counts of the rows of each class, and sums of log probabilities."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def table_scores(X: NDArray[Any], offset: Integers, table: Floats, n_threads: int) -> Floats:
    """Sum over the columns of the line of the table that each value selects.

    Value ``t`` of column ``j`` selects line ``offset[j] + t``, one entry per class. Values that are
    no whole number below ``offset[j + 1] - offset[j]``, such as NaN, add nothing.
    """
    out = np.empty((X.shape[0], table.shape[1]))
    _native.table_scores(X, offset, table, out, n_threads)
    return out


def table_counts(
    X: NDArray[Any],
    code: Integers,
    n_classes: int,
    weight: Floats | None,
    offset: Integers,
    n_threads: int,
) -> Floats:
    """Weight of the rows of each class that select each line, of shape (lines, n_classes)."""
    out = np.empty((int(offset[-1]), n_classes))
    _native.table_counts(X, code, weight, offset, out, n_threads)
    return out
