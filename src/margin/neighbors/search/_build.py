"""From a table to a search."""

from typing import Any

import numpy as np

from margin.core.types import Array
from margin.native.neighbors import trees
from margin.neighbors.search._choice import Choice
from margin.neighbors.search._indexes import Blocks, Index, Matrices, Products
from margin.neighbors.search._metric import Metric


def index_of(X: Any, metric: Metric, choice: Choice, leaf_size: int, n_threads: int) -> Index:
    """Points prepared for the method chosen.

    Parameters
    ----------
    X : table, sparse matrix or list of objects
    metric : Metric
    choice : Choice
    leaf_size : int
        Rows of a leaf, rounded up to whole blocks.
    n_threads : int

    Returns
    -------
    Index
    """
    if metric.pairs is not None:
        return Matrices(X, metric)
    rows = _rows(metric.mapped(X))
    if choice.method != "brute":
        boxes = choice.method == "kd_tree"
        grown = trees.tree(
            rows,
            metric.measure,
            metric.power,
            boxes=boxes,
            leaf_size=leaf_size,
            n_threads=n_threads,
        )
        return Blocks(X, metric, grown)
    if metric.measure == "euclidean":
        return Products(X, metric, rows)
    return Blocks(X, metric, trees.plain_blocks(rows, metric.measure, metric.power, n_threads))


def _rows(X: Array) -> Array:
    kind = np.float32 if X.dtype == np.float32 else np.float64
    return np.ascontiguousarray(X, dtype=kind)
