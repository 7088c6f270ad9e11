"""What a grown tree may look like."""

from __future__ import annotations

from dataclasses import dataclass

from margin.native.trees.growth import TreeRules


@dataclass(frozen=True)
class GrowthRules:
    """Rules of growth on bins; zero means no limit.

    Parameters
    ----------
    max_leaf_nodes, max_depth : int
        Limits on the leaves of a tree and on the steps to a leaf.
    min_samples_leaf, min_samples_split : int
        Fewest rows of a leaf, and of a node that is split.
    min_child_weight : float
        Sum of curvatures (of weights, in forests) of a leaf.
    min_gain : float
        A split has to gain more than this.
    l2 : float
        Ridge on the values of leaves.
    depth_wise : bool
        Whether nodes are split in the order in which they arose, not the best first. The tree is
        the same unless ``max_leaf_nodes`` cuts it short.
    split_features : int
        Columns drawn at random for every split.
    monotonic : tuple of int
        Per column 1, -1 or 0: the answer must not fall, not rise, or is free. Empty: all free.
    interaction : tuple of tuples of int
        Columns on one path must all be in one of these sets. Empty: no limit.
    cat_smooth, cat_l2 : float
        Where a column has more than eight categories: rows of no effect that are added to each
        category for sorting, and to both sides for the gain.

    Examples
    --------
    >>> GrowthRules(max_leaf_nodes=31, min_samples_leaf=20).l2
    0.0
    """

    max_leaf_nodes: int = 0
    max_depth: int = 0
    min_samples_leaf: int = 1
    min_samples_split: int = 2
    min_child_weight: float = 0.0
    min_gain: float = 0.0
    l2: float = 0.0
    depth_wise: bool = False
    split_features: int = 0
    monotonic: tuple[int, ...] = ()
    interaction: tuple[tuple[int, ...], ...] = ()
    cat_smooth: float = 10.0
    cat_l2: float = 10.0

    def compiled(self) -> TreeRules:
        """The rules as the compiled engine takes them."""
        return TreeRules(
            self.max_leaf_nodes,
            self.max_depth,
            self.min_samples_leaf,
            self.min_samples_split,
            self.min_child_weight,
            self.min_gain,
            self.l2,
            self.cat_smooth,
            self.cat_l2,
            self.depth_wise,
            self.split_features,
            list(self.monotonic),
            [list(columns) for columns in self.interaction],
        )
