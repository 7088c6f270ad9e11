r"""Trees grown on bins from the slopes and curvatures of a loss.

What to call, by model:

- *Boosting*: slopes and curvatures of the loss at the scores so far; after
  :meth:`BinnedGrowth.grow` the values of the leaves are :math:`-G / (H + l_2)`.
- *Forest for regression*: slopes :math:`-w_i (y_i - c)` and curvatures :math:`w_i` with the
  bootstrap counts (times sample weights) :math:`w_i` and any constant :math:`c`; ``rows`` lists the
  rows drawn, ``rules.split_features`` the columns per split. The gain of a split is then what it
  removes from :math:`\sum_i w_i (y_i - \bar y)^2`, the values are means less :math:`c`.
- *Forest for two classes with Gini impurity*: the same with :math:`y_i` of 0 and 1; the gain is
  half of what the split removes from the weighted Gini impurity.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Bools, Floats, Indices, Ints
from margin.native.trees.bins import BinnedTable
from margin.native.trees.growth import GrownTrees, TreeGrower, grown_trees, leaf_rows, leaf_values
from margin.search.growing._bins import Bins
from margin.search.growing._forest import Forest
from margin.search.growing._growth_rules import GrowthRules

Rows = NDArray[np.uint32]
Singles = NDArray[np.float32]


class BinnedGrowth:
    """Trees grown one after another on one binned table.

    Gradients are rounded to integers of which a row has about ``2**30 / n_rows`` on average, so
    that their sums do not depend on order or threads; values of leaves come from the gradients
    themselves.

    Parameters
    ----------
    bins : Bins
        What the codes of the table mean.
    table : BinnedTable
        ``bins.encode(X)``.
    rules : GrowthRules
        Shape of the trees.
    n_threads : int
        Threads; the trees are the same for any number.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.arange(6.0).reshape(-1, 1), np.array([0, 0, 0, 3, 3, 3], dtype=np.float32)
    >>> bins = Bins.of(X)
    >>> growth = BinnedGrowth(bins, bins.encode(X), GrowthRules(max_leaf_nodes=2))
    >>> growth.grow(-y)
    >>> growth.forest().predict(X).ravel()
    array([0., 0., 0., 3., 3., 3.])
    """

    def __init__(
        self, bins: Bins, table: BinnedTable, rules: GrowthRules, n_threads: int = 1
    ) -> None:
        self.bins, self.table, self.rules, self.n_threads = bins, table, rules, n_threads
        self._grower = TreeGrower(table, rules.compiled())

    def grow(
        self,
        slope: Singles,
        curvature: Singles | None = None,
        *,
        rows: Rows | None = None,
        weight: Floats | None = None,
        columns: Bools | None = None,
        seed: int = 0,
        output: int = -1,
    ) -> None:
        """One more tree.

        Parameters
        ----------
        slope, curvature : array of float32, shape (n_rows,)
            Of the loss of every row of the table; no curvature: 1 for each.
        rows : array of uint32, optional
            Rows to grow on, in rising order; all if not given.
        weight : array, optional
            Weights of all rows, for the covers of the nodes; 1 if not given.
        columns : array of bool, optional
            Columns that this tree may use.
        seed : int
            Of the columns drawn for splits.
        output : int
            Output that the values of the tree are added to.
        """
        self._grower.grow(slope, curvature, rows, weight, columns, seed, output, self.n_threads)

    def leaf_rows(self) -> tuple[Rows, Indices]:
        """Rows of the last tree, leaf after leaf, and where the rows of each leaf start."""
        return leaf_rows(self._grower)

    def leaf_values(self) -> Floats:
        """Values of the leaves of the last tree, in the order of :meth:`leaf_rows`."""
        return leaf_values(self._grower)

    def set_leaf_values(self, values: Floats) -> None:
        """Give the leaves of the last tree other values, in the order of :meth:`leaf_rows`."""
        self._grower.set_leaf_values(values)

    def shrink_and_add(self, rate: float, raw: Floats) -> None:
        """Multiply the last tree by ``rate`` and add it to the rows it was grown on."""
        self._grower.shrink_and_add(rate, raw, self.n_threads)

    def add_to_rows(self, table: BinnedTable, rows: Rows, raw: Floats) -> None:
        """Add the last tree to rows of a table in the same bins, found by their codes."""
        self._grower.add_to_rows(table, rows, raw, self.n_threads)

    @property
    def n_trees(self) -> int:
        """Trees grown so far."""
        return int(self._grower.n_trees)

    @property
    def n_leaves(self) -> int:
        """Leaves of the last tree."""
        return int(self._grower.n_leaves)

    def forest(self, n_outputs: int = 1) -> Forest:
        """All trees grown so far, asking for values."""
        return in_values(grown_trees(self._grower), self.bins, n_outputs)

    def last_tree(self) -> Forest:
        """The last tree alone, asking for values."""
        trees = grown_trees(self._grower)
        nodes = slice(int(trees.offsets[-2]), int(trees.offsets[-1]))
        whole = ("offsets", "output", "sets")
        parts = {name: getattr(trees, name)[nodes] for name in trees._fields if name not in whole}
        offsets = trees.offsets[-2:] - trees.offsets[-2]
        tree = GrownTrees(offsets=offsets, output=trees.output[-1:], sets=trees.sets, **parts)
        return in_values(tree, self.bins, int(trees.output.max(initial=0)) + 1)


def in_values(trees: GrownTrees, bins: Bins, n_outputs: int = 1) -> Forest:
    """Trees that ask for bins as trees that ask for values."""
    numeric = trees.bin >= 0
    threshold = np.full(len(trees.bin), np.nan)
    start = bins.cut_offsets[trees.feature[numeric]]
    last = trees.bin[numeric] >= bins.n_bins[trees.feature[numeric]] - 1
    # The last bin has no cut: all values go left, and only missing ones right.
    place = np.where(last, 0, start + trees.bin[numeric])
    cuts = np.append(bins.cuts, np.inf)
    threshold[numeric] = np.where(last, np.inf, cuts[place])
    categories, words, bits = _category_sets(trees, bins)
    return Forest(
        n_features=bins.n_features,
        n_outputs=n_outputs,
        offsets=trees.offsets,
        feature=trees.feature,
        threshold=threshold,
        left=trees.left,
        right=trees.right,
        missing_left=trees.missing_left,
        categories=categories,
        category_words=words,
        category_bits=bits,
        value=trees.value.reshape(-1, 1),
        cover=trees.cover,
        n_rows=trees.n_rows,
        impurity=np.zeros(len(trees.bin)),
        gain=trees.gain,
        output=trees.output,
    )


def _category_sets(trees: GrownTrees, bins: Bins) -> tuple[Ints, Ints, NDArray[np.uint32]]:
    """Sets of bins as sets of categories: start and length per node, and the words."""
    nodes = np.flatnonzero(trees.set_of >= 0)
    categories = np.full(len(trees.bin), -1, dtype=np.int32)
    words = np.zeros(len(trees.bin), dtype=np.int32)
    parts: list[NDArray[Any]] = [np.empty(0, dtype=np.uint32)]
    words[nodes] = bins.words[trees.feature[nodes]]
    categories[nodes] = np.cumsum(words[nodes]) - words[nodes]
    for node in nodes:
        j = trees.feature[node]
        chosen = np.unpackbits(trees.sets[trees.set_of[node]].view(np.uint8), bitorder="little")
        # Rare categories and gaps have the bin of missing values; so has the end of the last word.
        chosen[bins.n_bins[j]] = trees.missing_left[node]
        own = np.full(32 * bins.words[j], bins.n_bins[j], dtype=np.uint8)
        own[: len(bins.category_bins_of(j))] = bins.category_bins_of(j)
        parts.append(np.packbits(chosen[own], bitorder="little").view(np.uint32))
    return categories, words, np.concatenate(parts)
