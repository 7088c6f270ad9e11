"""Sums over the leaves that rows reach in the trees of a forest.

A forest is packed once (:func:`pack_forest`) into nodes of sixteen bytes and then serves any
number of calls. Arrays of ``X`` may be float32 or float64 with any strides; NaN is missing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

PackedForest = _native.PackedForest


def pack_forest(
    n_features: int,
    n_outputs: int,
    offsets: NDArray[np.int64],
    feature: Ints,
    threshold: Floats,
    left: Ints,
    right: Ints,
    missing_left: NDArray[np.bool_],
    categories: Ints,
    category_words: Ints,
    category_bits: NDArray[np.uint32],
    value: Floats,
    output: Ints,
) -> PackedForest:
    """Lay out trees for prediction; the arrays are those of ``search.Forest``, already checked."""
    return _native.pack_forest(
        n_features,
        n_outputs,
        offsets,
        feature,
        threshold,
        left,
        right,
        missing_left,
        categories,
        category_words,
        category_bits,
        value,
        output,
    )


def add_values(
    forest: PackedForest, X: NDArray[Any], first: int, last: int, out: Floats, n_threads: int
) -> Floats:
    """Add the values of trees ``first … last - 1`` to ``out``, one row per row of ``X``."""
    forest.add(X, first, last, out, n_threads)
    return out


def leaf_numbers(
    forest: PackedForest, X: NDArray[Any], first: int, last: int, n_threads: int
) -> Ints:
    """Leaf that each row reaches in each tree, counted from the root of the tree."""
    out = np.empty((len(X), last - first), dtype=np.int32)
    forest.apply(X, first, last, out, n_threads)
    return out
