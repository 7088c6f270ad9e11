"""The values that the leaves of a new tree get, and the branches that are not worth theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Indices
from margin.search import BinnedGrowth, Forest
from margin.search.growing._pruning import branch_strengths, cut, standing

Rows = NDArray[np.uint32]
Singles = NDArray[np.float32]
LeafValues = Callable[[Rows, Indices], Floats]
_SMALLEST = 1e-150  # curvature below which a leaf takes no step


def newton_values(g: Singles, h: Singles | None, l2: float, rows: Rows, starts: Indices) -> Floats:
    r"""Newton's steps :math:`-G / (H + l_2)` of leaves whose rows follow one another.

    Examples
    --------
    >>> g, rows = np.array([1.0, 2.0, -3.0], dtype=np.float32), np.arange(3, dtype=np.uint32)
    >>> newton_values(g, None, 0.0, rows, np.array([0, 2, 3]))
    array([-1.5,  3. ])
    """
    slope = np.add.reduceat(g[rows].astype(np.float64), starts[:-1])
    if h is None:
        bend = np.diff(starts).astype(np.float64)
    else:
        bend = np.add.reduceat(h[rows].astype(np.float64), starts[:-1])
    bend = bend + l2
    steps = np.zeros(len(slope))
    np.divide(-slope, bend, out=steps, where=bend > _SMALLEST)
    return steps


def merged_values(growth: BinnedGrowth, strength: float, values: LeafValues | None) -> Floats:
    """Values of the leaves of the last tree, one for all leaves of a branch that is cut.

    A branch is cut where its splits gain less than ``strength`` per leaf, as a share of the weight.
    Without ``values`` a branch gets the value that its growth gave to its first node.
    """
    tree = growth.last_tree()
    leaves = np.flatnonzero(tree.is_leaf)
    owner = standing(tree, branch_strengths(tree), strength)[leaves]
    if values is None:
        return np.ascontiguousarray(tree.value[owner, 0])
    rows, starts = growth.leaf_rows()
    order = np.argsort(owner, kind="stable")
    parts = np.split(rows, starts[1:-1])
    sizes = np.diff(starts)[order]
    first = np.append(True, np.diff(owner[order]) > 0)
    merged = np.append(np.add.accumulate(np.append(0, sizes))[:-1][first], sizes.sum())
    own = values(np.concatenate([parts[k] for k in order]), merged.astype(np.int64))
    answers = np.empty(len(leaves))
    answers[order] = own[np.cumsum(first) - 1]
    return answers


def in_directions(tree: Forest, directions: tuple[int, ...], values: Floats) -> Floats:
    """Values of leaves, moved so far that they never fall along a column of direction 1.

    Where leaves on both sides of a split on such a column are in the wrong order, neither side may
    pass the middle of the means of both: no leaf below them can then. The same the other way round
    for -1.

    Examples
    --------
    >>> stump = Forest.of_tree(
    ...     n_features=1, feature=[0, -1, -1], threshold=[0.5, np.nan, np.nan], left=[1, -1, -1],
    ...     right=[2, -1, -1], value=[[0.0], [3.0], [1.0]], cover=[2.0, 1.0, 1.0])
    >>> in_directions(stump, (1,), np.array([3.0, 1.0]))
    array([2., 2.])
    """
    leaves = np.flatnonzero(tree.is_leaf)
    inner = np.flatnonzero(~tree.is_leaf)
    mean = np.zeros(tree.n_nodes)
    mean[leaves] = values
    least, most = mean.copy(), mean.copy()
    for node in inner[::-1]:  # children come after their parents
        pair = [tree.left[node], tree.right[node]]
        mean[node] = np.average(mean[pair], weights=tree.cover[pair])
        least[node], most[node] = least[pair].min(), most[pair].max()
    lower, upper = np.full(tree.n_nodes, -np.inf), np.full(tree.n_nodes, np.inf)
    for node in inner:
        left, right = tree.left[node], tree.right[node]
        for child in (left, right):
            lower[child], upper[child] = lower[node], upper[node]
        direction = directions[tree.feature[node]]
        low, high = (left, right) if direction > 0 else (right, left)
        if direction != 0 and most[low] > least[high]:
            middle = np.clip(0.5 * (mean[left] + mean[right]), lower[node], upper[node])
            upper[low] = lower[high] = middle
    return np.clip(values, lower[leaves], upper[leaves])


def without_branches(forest: Forest, strength: float) -> Forest:
    """Trees whose branches of merged values are cut off."""
    trees = []
    for t in range(forest.n_trees):
        tree = forest.select([t])
        ends = branch_strengths(tree) <= strength
        if ends.any():
            owner = standing(tree, np.where(ends, 0.0, np.inf), strength)
            leaves = np.flatnonzero(tree.is_leaf)
            value = tree.value.copy()
            value[owner[leaves]] = tree.value[leaves]
            tree = cut(replace(tree, value=value), ends)
        trees.append(tree)
    return Forest.concatenate(trees)
