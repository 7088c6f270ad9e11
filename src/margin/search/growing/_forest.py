"""The value that all tree models share: trees as flat arrays, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core.types import Bools, Floats, Indices, Ints, Matrix
from margin.native.trees.depths import node_depths
from margin.native.trees.prediction import PackedForest, add_values, leaf_numbers, pack_forest
from margin.search.growing._forest_check import check_forest

_BLOCK = 4096  # rows of a sparse matrix that are made dense at a time
_PER_NODE = (
    *("feature", "threshold", "left", "right", "missing_left", "categories", "category_words"),
    *("value", "cover", "n_rows", "impurity", "gain"),
)


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees as arrays: node ``i`` of tree ``t`` stands at ``offsets[t] + i``, the root first.

    A row goes left where ``x[feature] <= threshold``, or, in a categorical node, where the bit of
    its category is set. NaN, and categories without a bit, go where ``missing_left`` says. The
    prediction is the sum over trees of the values of the leaves reached.

    Parameters
    ----------
    n_features, n_outputs : int
        Columns of ``X`` and of predictions.
    offsets : array of int64, shape (n_trees + 1,)
        Where the nodes of each tree start.
    feature : array of int32, shape (n_nodes,)
        Column that a node asks for, -1 in leaves.
    threshold : array of float64, shape (n_nodes,)
        Largest value that goes left; NaN in leaves and categorical nodes.
    left, right : array of int32, shape (n_nodes,)
        Children, counted from the root of the tree and above their parent; -1 in leaves.
    missing_left : array of bool, shape (n_nodes,)
        Whether NaN and unseen categories go left.
    categories, category_words : array of int32, shape (n_nodes,)
        Start of the set of a categorical node in ``category_bits``, -1 in all others, and its
        length in words: bit ``c % 32`` of word ``c // 32`` is set if category ``c`` goes left.
    category_bits : array of uint32
        The sets, one after another.
    value : array of float64, shape (n_nodes, width)
        Answers of all nodes, also of inner ones; ``width`` is ``n_outputs``, or 1 if every tree
        has an output of its own.
    cover : array of float64, shape (n_nodes,)
        Weight of the training rows.
    n_rows : array of int64, shape (n_nodes,)
        Number of the training rows.
    impurity, gain : array of float64, shape (n_nodes,)
        Impurity of a node, and what its split removed (0 in leaves).
    output : array of int32, shape (n_trees,)
        Output to which the single value of a tree is added; -1: it has a value for each.

    Examples
    --------
    >>> import numpy as np
    >>> stump = Forest.of_tree(
    ...     n_features=1, feature=[0, -1, -1], threshold=[0.5, np.nan, np.nan],
    ...     left=[1, -1, -1], right=[2, -1, -1], value=[[0.0], [-1.0], [1.0]])
    >>> stump.predict(np.array([[0.5], [0.6], [np.nan]])).ravel()
    array([-1.,  1.,  1.])
    """

    n_features: int
    n_outputs: int
    offsets: Indices
    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Bools
    categories: Ints
    category_words: Ints
    category_bits: NDArray[np.uint32]
    value: Floats
    cover: Floats
    n_rows: Indices
    impurity: Floats
    gain: Floats
    output: Ints

    def check(self) -> Forest:
        """Itself, if every tree is a tree and no index is out of range; a ValueError otherwise.

        Arrays that come from a file must pass here before anything else sees them.
        """
        check_forest(self)
        return self

    @classmethod
    def of_tree(
        cls,
        *,
        n_features: int,
        feature: Any,
        threshold: Any,
        left: Any,
        right: Any,
        value: Any,
        missing_left: Any = None,
        categories: Any = None,
        category_words: Any = None,
        category_bits: Any = (),
        cover: Any = None,
        n_rows: Any = None,
        impurity: Any = None,
        gain: Any = None,
        output: int = -1,
        n_outputs: int | None = None,
    ) -> Forest:
        """A forest of one tree; what is not given is unknown (zero) or absent."""
        n = len(feature)

        def filled(given: Any, dtype: Any, empty: Any = 0) -> NDArray[Any]:
            if given is None:
                return np.full(n, empty, dtype=dtype)
            return as_whole(given, dtype) if np.dtype(dtype).kind in "iu" else _array(given, dtype)

        values = np.ascontiguousarray(np.asarray(value, dtype=np.float64).reshape(n, -1))
        return cls(
            n_features=n_features,
            n_outputs=values.shape[1] if n_outputs is None else n_outputs,
            offsets=np.array([0, n], dtype=np.int64),
            feature=filled(feature, np.int32),
            threshold=filled(threshold, np.float64),
            left=filled(left, np.int32),
            right=filled(right, np.int32),
            missing_left=filled(missing_left, np.bool_),
            categories=filled(categories, np.int32, -1),
            category_words=filled(category_words, np.int32),
            category_bits=as_whole(category_bits, np.uint32),
            value=values,
            cover=filled(cover, np.float64),
            n_rows=filled(n_rows, np.int64),
            impurity=filled(impurity, np.float64),
            gain=filled(gain, np.float64),
            output=np.array([output], dtype=np.int32),
        ).check()

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.offsets) - 1

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all trees."""
        return len(self.feature)

    @property
    def is_leaf(self) -> Bools:
        """Which nodes are leaves."""
        return self.left < 0

    @cached_property
    def n_leaves(self) -> Indices:
        """Number of leaves of each tree."""
        before = np.concatenate([[0], np.cumsum(self.is_leaf)])
        return np.diff(before[self.offsets])

    @cached_property
    def node_depths(self) -> Indices:
        """Steps from the root to each node."""
        return node_depths(self.left, self.right, self.offsets)

    @cached_property
    def depths(self) -> Indices:
        """Steps from the root to the deepest leaf of each tree."""
        return np.maximum.reduceat(self.node_depths, self.offsets[:-1])

    def predict(
        self,
        X: Matrix,
        *,
        first: int = 0,
        last: int | None = None,
        out: Floats | None = None,
        n_threads: int = 1,
    ) -> Floats:
        """Sum of the values of trees ``first … last - 1``, shape (n_rows, n_outputs).

        ``X`` is a float32 or float64 array of any layout or a sparse matrix; with ``out`` the
        values are added to it in place.
        """
        if out is None:
            out = np.zeros((X.shape[0], self.n_outputs))
        last = self.n_trees if last is None else last
        for rows, block in _dense_blocks(X):
            add_values(self.packed, block, first, last, out[rows], n_threads)
        return out

    def apply(
        self, X: Matrix, *, first: int = 0, last: int | None = None, n_threads: int = 1
    ) -> Ints:
        """Leaf of each row in each tree, counted from the root of the tree."""
        last = self.n_trees if last is None else last
        leaves = [
            leaf_numbers(self.packed, block, first, last, n_threads)
            for _, block in _dense_blocks(X)
        ]
        return leaves[0] if len(leaves) == 1 else np.concatenate(leaves)

    def select(self, trees: Any) -> Forest:
        """The forest of the chosen trees (a slice, a mask or numbers), in their order."""
        chosen = np.arange(self.n_trees)[trees].reshape(-1)
        sizes = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        nodes = np.arange(offsets[-1]) + np.repeat(self.offsets[chosen] - offsets[:-1], sizes)
        parts = {name: np.ascontiguousarray(getattr(self, name)[nodes]) for name in _PER_NODE}
        return Forest(
            n_features=self.n_features,
            n_outputs=self.n_outputs,
            offsets=offsets,
            category_bits=self.category_bits,
            output=self.output[chosen],
            **parts,
        )

    @staticmethod
    def concatenate(forests: Sequence[Forest]) -> Forest:
        """All trees of several forests over the same columns and outputs, in order."""
        first = forests[0]
        if len(forests) == 1:
            return first
        for other in forests:
            shape = (other.n_features, other.n_outputs, other.value.shape[1])
            if shape != (first.n_features, first.n_outputs, first.value.shape[1]):
                raise ValueError("Forest.concatenate: forests of different columns or outputs")
        parts = {
            name: np.concatenate([getattr(f, name) for f in forests])
            for name in (*_PER_NODE, "category_bits", "output")
        }
        words = np.cumsum([0, *(len(f.category_bits) for f in forests)])
        shift = np.repeat(words[:-1], [f.n_nodes for f in forests])
        categories = np.where(parts["categories"] >= 0, parts["categories"] + shift, -1)
        parts["categories"] = categories.astype(np.int32)
        nodes = np.cumsum([0, *(f.n_nodes for f in forests)])
        starts = [f.offsets[:-1] + n for f, n in zip(forests, nodes, strict=False)]
        offsets = np.concatenate([*starts, nodes[-1:]]).astype(np.int64)
        return Forest(first.n_features, first.n_outputs, offsets=offsets, **parts)

    @cached_property
    def packed(self) -> PackedForest:
        """The trees as compiled loops walk them."""
        return pack_forest(
            self.n_features,
            self.n_outputs,
            self.offsets,
            self.feature,
            self.threshold,
            self.left,
            self.right,
            self.missing_left,
            self.categories,
            self.category_words,
            self.category_bits,
            self.value,
            self.output,
        )

    def __getstate__(self) -> dict[str, Any]:
        # What is derived from the arrays is made again where it is needed.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.check()


def _array(given: Any, dtype: Any) -> NDArray[Any]:
    return np.ascontiguousarray(given, dtype=dtype)


def as_whole(given: Any, dtype: Any) -> NDArray[Any]:
    """Whole numbers in a type that may be too narrow for them, or a ValueError.

    Examples
    --------
    >>> as_whole([1.0, 2.0], np.int32)
    array([1, 2], dtype=int32)
    >>> as_whole([2**40], np.int32)
    Traceback (most recent call last):
    ValueError: Forest: numbers must be whole and fit int32, got 1099511627776
    """
    numbers = np.asarray(given)
    if not numbers.size:
        return np.empty(numbers.shape, dtype=dtype)
    range_ = np.iinfo(dtype)
    fits = numbers.dtype.kind in "iufb"
    if fits:
        with np.errstate(invalid="ignore"):
            inside = (numbers >= range_.min) & (numbers <= range_.max)
            odd = ~(inside & (numbers == np.floor(numbers)))
        fits = not odd.any()
    if not fits:
        wrong = numbers[odd][0] if numbers.dtype.kind in "iufb" else numbers.ravel()[0]
        kind = np.dtype(dtype)
        raise ValueError(f"Forest: numbers must be whole and fit {kind}, got {wrong}")
    return _array(numbers, dtype)


def _dense_blocks(X: Matrix) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Rows of ``X`` as dense arrays: all of them, or a few at a time where ``X`` is sparse."""
    if not issparse(X):
        yield slice(None), X
        return
    rows = X.tocsr()
    for start in range(0, max(1, X.shape[0]), _BLOCK):
        part = slice(start, start + _BLOCK)
        yield part, rows[part].toarray()
