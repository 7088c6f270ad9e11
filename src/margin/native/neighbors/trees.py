"""Trees over points, and blocks without a tree: built once, searched often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Lists = tuple[Indices, Floats, Indices]
Arguments = tuple[Any, Indices, Floats | None, Floats | None, int, int, float]

WIDTH: int = _native.NEIGHBOR_WIDTH
"""Points of one block."""

MEASURES = (
    "euclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "canberra",
    "braycurtis",
    "hamming",
    "jaccard",
    "nan_euclidean",
)
"""Distances by the codes of the compiled loops."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """Points in blocks, under a tree of boxes or balls or under none."""

    blocks: NDArray[Any]
    order: Indices
    lower: Floats | None
    upper: Floats | None
    leaf_blocks: int
    measure: int
    power: float

    def arguments(self) -> Arguments:
        """What the compiled loops take."""
        nodes = self.lower, self.upper, self.leaf_blocks
        return self.blocks, self.order, *nodes, self.measure, self.power


def plain_blocks(X: NDArray[Any], measure: str, power: float = 2.0, n_threads: int = 1) -> Blocks:
    """Points of a C-ordered table in the order of its rows, to be searched through."""
    order = _padded(np.arange(len(X)))
    blocks = _packed(X, n_threads)
    return Blocks(blocks, order, None, None, 1, MEASURES.index(measure), power)


def tree(
    X: NDArray[Any],
    measure: str,
    power: float = 2.0,
    *,
    boxes: bool = True,
    leaf_size: int = WIDTH,
    n_threads: int = 1,
) -> Blocks:
    """A KD tree (``boxes``) or a ball tree, with leaves of ``leaf_size`` up to whole blocks."""
    leaf_blocks = max(1, -(-leaf_size // WIDTH))
    rows = np.array(X, order="C")
    n, p = rows.shape
    n_nodes = 2 * -(-n // (leaf_blocks * WIDTH)) - 1
    order = np.empty(n, dtype=np.int64)
    lower = np.empty((n_nodes, p))
    upper = np.empty((n_nodes, p) if boxes else n_nodes)
    code = MEASURES.index(measure)
    _native.grow_tree(rows, order, lower, upper, leaf_blocks, code, power, boxes, n_threads)
    blocks = _packed(rows, n_threads)
    return Blocks(blocks, _padded(order), lower, upper, leaf_blocks, code, power)


def nearest(tree: Blocks, Q: Floats, k: int, n_threads: int = 1) -> tuple[Floats, Indices]:
    """Distances and rows of the ``k`` nearest points of each query, equal distances by row."""
    distance, number = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.int64)
    _native.tree_nearest(*tree.arguments(), Q, distance, number, n_threads)
    return distance, number


def within(tree: Blocks, Q: Floats, radius: Floats, n_threads: int = 1) -> Lists:
    """Offsets, distances and rows of the points within ``radius`` of each query, nearest first."""
    lists: Lists = _native.tree_within(*tree.arguments(), Q, radius, n_threads)
    return lists


def _packed(rows: NDArray[Any], n_threads: int) -> NDArray[Any]:
    blocks = np.empty((-(-len(rows) // WIDTH), rows.shape[1], WIDTH), dtype=rows.dtype)
    _native.pack_blocks(rows, blocks, n_threads)
    return blocks


def _padded(order: NDArray[np.integer[Any]]) -> Indices:
    places = np.full(-(-len(order) // WIDTH) * WIDTH, -1, dtype=np.int64)
    places[: len(order)] = order
    return places
