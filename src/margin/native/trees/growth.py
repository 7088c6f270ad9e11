"""Trees grown on binned tables from slopes and curvatures of a loss.

A ``TreeGrower`` holds the buffers of one table and the trees grown so far. The face of it, which
also turns bins back into values, is :class:`margin.search.BinnedGrowth`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

TreeGrower = _native.TreeGrower
TreeRules = _native.TreeRules


class GrownTrees(NamedTuple):
    """Trees whose questions are about bins; the nodes of tree t are ``offsets[t]:offsets[t + 1]``.

    ``sets`` holds a bit per bin for each split by categories, ``set_of`` the row of a node in it.
    """

    offsets: NDArray[np.int64]
    output: NDArray[np.int32]
    feature: NDArray[np.int32]
    bin: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: NDArray[np.bool_]
    set_of: NDArray[np.int32]
    n_rows: NDArray[np.int64]
    value: NDArray[np.float64]
    cover: NDArray[np.float64]
    gain: NDArray[np.float64]
    sets: NDArray[np.uint32]


def grown_trees(grower: TreeGrower) -> GrownTrees:
    """All trees grown so far."""
    n = grower.n_nodes
    offsets = np.empty(grower.n_trees + 1, dtype=np.int64)
    output = np.empty(grower.n_trees, dtype=np.int32)
    questions = np.empty((n, 7), dtype=np.int32)
    numbers = np.empty((n, 3))
    sets = np.empty((grower.n_sets, 8), dtype=np.uint32)
    grower.copy_trees(offsets, output, questions, numbers, sets)
    feature, cut, left, right, missing, set_of, rows = (q.copy() for q in questions.T)
    value, cover, gain = (column.copy() for column in numbers.T)
    return GrownTrees(
        offsets,
        output,
        feature,
        cut,
        left,
        right,
        missing.astype(np.bool_),
        set_of,
        rows.view(np.uint32).astype(np.int64),
        value,
        cover,
        gain,
        sets,
    )


def leaf_rows(grower: TreeGrower) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Rows of the last tree, leaf after leaf, and where the rows of each leaf start."""
    order = np.empty(grower.n_order, dtype=np.uint32)
    starts = np.empty(grower.n_leaves + 1, dtype=np.int64)
    grower.copy_leaves(order, starts)
    return order, starts


def leaf_values(grower: TreeGrower) -> NDArray[np.float64]:
    """Values of the leaves of the last tree, in the order of :func:`leaf_rows`."""
    values = np.empty(grower.n_leaves)
    grower.copy_leaf_values(values)
    return values
