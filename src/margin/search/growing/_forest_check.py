"""What makes arrays a forest: shapes, types, and that every tree is one."""

from typing import Any

import numpy as np

_TYPES: dict[str, tuple[type[Any], int]] = {
    "offsets": (np.int64, 1),
    "feature": (np.int32, 1),
    "threshold": (np.float64, 1),
    "left": (np.int32, 1),
    "right": (np.int32, 1),
    "missing_left": (np.bool_, 1),
    "categories": (np.int32, 1),
    "category_words": (np.int32, 1),
    "category_bits": (np.uint32, 1),
    "value": (np.float64, 2),
    "cover": (np.float64, 1),
    "n_rows": (np.int64, 1),
    "impurity": (np.float64, 1),
    "gain": (np.float64, 1),
    "output": (np.int32, 1),
}
_NOT_PER_NODE = ("offsets", "category_bits", "output")
_MOST_FEATURES = 2**30  # the packed nodes keep two bits of a feature for flags


def check_forest(forest: Any) -> None:
    """Raise a ValueError unless the arrays of a ``Forest`` describe trees."""
    _check_arrays(forest)
    sizes = np.diff(forest.offsets)
    _require(len(sizes) >= 1 and forest.offsets[0] == 0, "offsets must start at 0")
    _require(bool((sizes >= 1).all()), "offsets must rise: every tree has a root")
    _require(forest.offsets[-1] == len(forest.feature), "offsets must end at the number of nodes")
    _check_outputs(forest)
    _check_children(forest, sizes)
    _check_splits(forest)


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"Forest: {what}")


def _check_arrays(forest: Any) -> None:
    for name, (dtype, ndim) in _TYPES.items():
        array = getattr(forest, name)
        fits = isinstance(array, np.ndarray) and array.dtype == dtype and array.ndim == ndim
        _require(
            fits and array.flags.c_contiguous,
            f"{name} must be a contiguous array of {np.dtype(dtype)} with {ndim} axes",
        )
        if name not in _NOT_PER_NODE:
            _require(len(array) == len(forest.feature), f"{name} must have an entry per node")
    for name in ("n_features", "n_outputs"):
        number = getattr(forest, name)
        _require(isinstance(number, int) and number >= 1, f"{name} must be an integer above 0")
    _require(forest.n_features < _MOST_FEATURES, "n_features must be below 2**30")


def _check_outputs(forest: Any) -> None:
    width, output = forest.value.shape[1], forest.output
    _require(len(output) == len(forest.offsets) - 1, "output must have an entry per tree")
    inside = (output >= -1) & (output < forest.n_outputs)
    _require(bool(inside.all()), f"output must lie between -1 and {forest.n_outputs - 1}")
    least = forest.n_outputs if bool((output < 0).any()) else 1
    _require(width >= least, f"value must have {least} columns")


def _check_children(forest: Any, sizes: Any) -> None:
    left, right = forest.left, forest.right
    size = np.repeat(sizes, sizes)
    own = np.arange(len(left)) - np.repeat(forest.offsets[:-1], sizes)
    inner = left >= 0
    _require(bool(((left >= 0) == (right >= 0)).all()), "a node must have two children or none")
    for child in (left, right):
        below = (child > own) & (child < size)
        _require(
            bool((below | (child == -1)).all()), "children must be nodes of the tree below a parent"
        )
    # Every node but the root is the child of exactly one node: with rising numbers, a tree.
    start = np.repeat(forest.offsets[:-1], sizes)
    named = np.concatenate([(left + start)[inner], (right + start)[inner]])
    parents = np.bincount(named, minlength=len(left))
    _require(
        bool((parents == (own > 0)).all()), "every node but the root must have exactly one parent"
    )


def _check_splits(forest: Any) -> None:
    inner = forest.left >= 0
    feature = forest.feature[inner]
    inside = (feature >= 0) & (feature < forest.n_features)
    _require(bool(inside.all()), f"feature must lie between 0 and {forest.n_features - 1}")
    _require(bool((forest.feature[~inner] == -1).all()), "feature must be -1 in leaves")
    start, words = forest.categories.astype(np.int64), forest.category_words
    _require(bool((start >= -1).all()), "categories must be -1 or a position")
    categorical = start >= 0
    end = start + words
    fits = (words >= 0) & (end <= len(forest.category_bits))
    _require(bool(fits[categorical].all()), "categories must lie within category_bits")
    _require(
        not bool(np.isnan(forest.threshold[inner & ~categorical]).any()),
        "threshold must be a number in inner nodes",
    )
