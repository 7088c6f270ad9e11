"""A fitted tree under the names that scikit-learn's users know."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from margin.core.types import Floats, Indices
from margin.search import Forest

LEAF = -1
UNDEFINED = -2


@dataclass(frozen=True, eq=False)
class Tree:
    """One tree as parallel arrays, a number per node, the root first.

    Parameters
    ----------
    forest : margin.search.Forest
        The tree itself.
    n_classes : ndarray of int
        Classes of each output; ones for numbers.

    Examples
    --------
    >>> from margin.tree import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[0], [1], [3]], [1.0, 1.0, 4.0]).tree_
    >>> tree.children_left, tree.threshold
    (array([ 1, -1, -1]), array([ 2., -2., -2.]))
    """

    forest: Forest
    n_classes: Indices

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return self.forest.n_nodes

    @property
    def capacity(self) -> int:
        """Number of nodes that there is room for: all there are."""
        return self.forest.n_nodes

    @property
    def n_features(self) -> int:
        """Columns of the table."""
        return self.forest.n_features

    @property
    def n_outputs(self) -> int:
        """Number of targets."""
        return len(self.n_classes)

    @property
    def max_n_classes(self) -> int:
        """Most classes of an output."""
        return int(self.n_classes.max())

    @property
    def max_depth(self) -> int:
        """Steps from the root to the deepest leaf."""
        return int(self.forest.depths[0])

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.forest.n_leaves[0])

    @property
    def children_left(self) -> Indices:
        """Left child of each node, -1 in leaves."""
        return self.forest.left.astype(np.int64)

    @property
    def children_right(self) -> Indices:
        """Right child of each node, -1 in leaves."""
        return self.forest.right.astype(np.int64)

    @property
    def feature(self) -> Indices:
        """Column of the question of each node, -2 in leaves."""
        return np.where(self.forest.is_leaf, UNDEFINED, self.forest.feature).astype(np.int64)

    @property
    def threshold(self) -> Floats:
        """Largest number that goes left; -2 in leaves, NaN where categories are asked for."""
        return np.where(self.forest.is_leaf, float(UNDEFINED), self.forest.threshold)

    @property
    def impurity(self) -> Floats:
        """Impurity of each node."""
        return self.forest.impurity

    @property
    def n_node_samples(self) -> Indices:
        """Rows in each node."""
        return self.forest.n_rows

    @property
    def weighted_n_node_samples(self) -> Floats:
        """Weight of the rows in each node."""
        return self.forest.cover

    @property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        """One where missing values go left."""
        return self.forest.missing_left.astype(np.uint8)

    @property
    def value(self) -> Floats:
        """Class shares or numbers, shape (n_nodes, n_outputs, most classes)."""
        return self._by_output(self.forest.value)

    def categories_left(self, node: int) -> Indices:
        """Categories that go left at a node that asks for categories."""
        start, words = self.forest.categories[node], self.forest.category_words[node]
        if start < 0:
            raise ValueError(f"Tree: node {node} asks for a number, not for categories")
        bits = np.unpackbits(
            self.forest.category_bits[start : start + words].view(np.uint8), bitorder="little"
        )
        return np.flatnonzero(bits)

    def _by_output(self, values: Floats) -> Floats:
        out = np.zeros((len(values), self.n_outputs, self.max_n_classes))
        starts = np.concatenate([[0], np.cumsum(self.n_classes)])
        for o, k in enumerate(self.n_classes):
            out[:, o, :k] = values[:, starts[o] : starts[o + 1]]
        return out

    def predict(self, X: Any) -> Floats:
        """Values of the leaves of the rows, as in ``value``; one output has no axis of its own."""
        values = self._by_output(self.forest.predict(X))
        return values[:, 0] if self.n_outputs == 1 else values

    def apply(self, X: Any) -> Indices:
        """Leaf of each row."""
        return self.forest.apply(X)[:, 0].astype(np.int64)

    def decision_path(self, X: Any) -> Any:
        """Sparse indicator of the nodes that each row passes, shape (n_rows, n_nodes)."""
        return path_indicator(self.forest, self.forest.apply(X))

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """Sum of the gains of each column, by default as shares (tree.10)."""
        return gain_by_column(self.forest, normalise=normalize)


def gain_by_column(tree: Forest, *, normalise: bool = True) -> Floats:
    """Impurity that the splits of each column remove in one tree."""
    inner = ~tree.is_leaf
    gains = np.bincount(tree.feature[inner], tree.gain[inner], minlength=tree.n_features)
    total = gains.sum()
    return np.asarray(gains / total if normalise and total > 0 else gains, dtype=np.float64)


def path_indicator(forest: Forest, leaves: NDArray[Any]) -> Any:
    """Indicator of the nodes from the roots to the leaves, trees side by side."""
    nodes = np.arange(forest.n_nodes)
    parent = np.full(forest.n_nodes, -1)
    start = np.repeat(forest.offsets[:-1], np.diff(forest.offsets))
    inner = ~forest.is_leaf
    for children in (forest.left, forest.right):
        parent[children[inner] + start[inner]] = nodes[inner]
    at = leaves.astype(np.int64) + forest.offsets[:-1]
    rows, columns = [], []
    here = np.repeat(np.arange(len(leaves)), leaves.shape[1])
    at = at.ravel()
    while len(at):
        rows.append(here)
        columns.append(at)
        at = parent[at]
        here, at = here[at >= 0], at[at >= 0]
    shape = (len(leaves), forest.n_nodes)
    where = (np.concatenate(rows or [here]), np.concatenate(columns or [at]))
    indicator = csr_array((np.ones(len(where[0]), dtype=np.int64), where), shape=shape)
    indicator.sort_indices()
    return indicator
