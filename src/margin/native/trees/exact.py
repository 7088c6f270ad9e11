"""Exact growth of trees, and the weakest links of grown ones.

Columns of a table are the *rows* of ``columns``; of a categorical column the values are codes
from zero, NaN means missing everywhere.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Entries = NDArray[np.uint64]

CRITERIA = {
    name: code
    for code, name in enumerate(
        ("gini", "entropy", "misclassification", "squared", "absolute", "poisson")
    )
}


PACKED_BYTES = 2**24  # largest branch whose rows are copied side by side


def sort_columns(columns: NDArray[Any], categorical: NDArray[np.uint8], n_threads: int) -> Entries:
    """Rows of each column in the order of its values: a rising code and the row, 32 bits each."""
    entries = np.empty(columns.shape, dtype=np.uint64)
    _native.sort_columns(columns, categorical, entries, n_threads)
    return entries


def grow_exact(*, packed_bytes: int = PACKED_BYTES, **arguments: Any) -> dict[str, Any]:
    """Arrays of all trees and where each starts; see :func:`margin.search.growing.grow_exact`.

    Branches whose rows take at most ``packed_bytes`` grow on a copy of their own, where splits are
    random or lie between bins and the loss is squared: the same trees, faster.
    """
    grown: dict[str, Any] = _native.grow_exact(packed_bytes=packed_bytes, **arguments)
    return grown


def pruning_steps(
    left: NDArray[np.int32], right: NDArray[np.int32], risk: Floats
) -> tuple[NDArray[np.int32], Floats, Floats]:
    """Nodes in the order in which their branches are cut, strengths, and risks afterwards."""
    node = np.empty(len(left), dtype=np.int32)
    strength, total = np.empty(len(left)), np.empty(len(left))
    steps = _native.pruning_steps(left, right, risk, node, strength, total)
    return node[:steps], strength[:steps], total[:steps]
