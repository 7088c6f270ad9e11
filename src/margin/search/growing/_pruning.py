"""Cost-complexity pruning: branches cut where they do not pay for their leaves (tree.03)."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Bools, Floats, Indices, Places
from margin.native.trees import exact
from margin.search.growing._forest import Forest


@dataclass(frozen=True, eq=False)
class PruningPath:
    r"""All pruned trees of one tree, from the whole to its root.

    The pruned tree of strength :math:`\alpha` minimises :math:`\sum_{\text{leaves}} r(N) +
    \alpha\,|\text{leaves}|`, with the risk :math:`r` of a node its impurity times its share of the
    weight.

    Parameters
    ----------
    strengths : array of shape (n_steps + 1,)
        Zero for the whole tree, then the strength from which on one more branch is cut.
    risks : array of shape (n_steps + 1,)
        Summed risk of the leaves that are left.
    node_strengths : array of shape (n_nodes,)
        Strength from which on a node is a leaf; infinite for leaves.
    """

    strengths: Floats
    risks: Floats
    node_strengths: Floats

    @classmethod
    def of(cls, tree: Forest) -> "PruningPath":
        """The path of a forest of one tree."""
        risk = tree.impurity * tree.cover / tree.cover[0]
        nodes, strengths, risks = exact.pruning_steps(tree.left, tree.right, risk)
        cut = np.full(tree.n_nodes, np.inf)
        cut[nodes] = strengths
        whole = float(risk[tree.is_leaf].sum())
        return cls(np.append(0.0, strengths), np.append(whole, risks), cut)


def pruned(tree: Forest, strength: float) -> Forest:
    """The tree with every branch cut that does not pay at this strength.

    Examples
    --------
    >>> import numpy as np
    >>> stump = Forest.of_tree(
    ...     n_features=1, feature=[0, -1, -1], threshold=[0.5, np.nan, np.nan],
    ...     left=[1, -1, -1], right=[2, -1, -1], value=[[0.0], [-1.0], [1.0]],
    ...     impurity=[1.0, 0.0, 0.0], cover=[2.0, 1.0, 1.0])
    >>> pruned(stump, 0.9).n_nodes, pruned(stump, 1.1).n_nodes
    (3, 1)
    """
    ends = PruningPath.of(tree).node_strengths <= strength
    return cut(tree, ends) if ends.any() else tree


def cut(tree: Forest, ends: Bools) -> Forest:
    """The tree whose nodes marked in ``ends`` are leaves, without the nodes below them."""
    stays = np.ones(tree.n_nodes, dtype=np.bool_)
    for parents in _levels(tree):
        below = stays[parents] & ~ends[parents]
        stays[tree.left[parents]] = stays[tree.right[parents]] = below
    number = np.cumsum(stays) - 1
    leaf = (ends | tree.is_leaf)[stays]

    def kept(values: Array, of_leaf: float) -> Array:
        return np.where(leaf, of_leaf, values[stays])

    return Forest.of_tree(
        n_features=tree.n_features,
        feature=kept(tree.feature, -1),
        threshold=kept(tree.threshold, np.nan),
        left=kept(number[tree.left], -1),
        right=kept(number[tree.right], -1),
        value=tree.value[stays],
        missing_left=tree.missing_left[stays] & ~leaf,
        categories=kept(tree.categories, -1),
        category_words=kept(tree.category_words, 0),
        category_bits=tree.category_bits,
        cover=tree.cover[stays],
        n_rows=tree.n_rows[stays],
        impurity=tree.impurity[stays],
        gain=kept(tree.gain, 0.0),
        output=int(tree.output[0]),
        n_outputs=tree.n_outputs,
    )


def branch_strengths(tree: Forest) -> Floats:
    r"""Strength from which on a node of one tree is a leaf, known from the gains of its splits.

    The risk of a node is then the gain of all splits below it as a share of the weight: what is
    left in the leaves does not matter.
    """
    risk = np.where(tree.is_leaf, 0.0, tree.gain) / tree.cover[0]
    for parents in reversed(_levels(tree)):
        risk[parents] += risk[tree.left[parents]] + risk[tree.right[parents]]
    nodes, strengths, _ = exact.pruning_steps(tree.left, tree.right, risk)
    cut_at = np.full(tree.n_nodes, np.inf)
    cut_at[nodes] = strengths
    return cut_at


def standing(tree: Forest, node_strengths: Floats, strength: float) -> Indices:
    """For every node the leaf of the pruned tree that its rows end in, counted in the whole."""
    at = np.arange(tree.n_nodes)
    ends = node_strengths <= strength
    for parents in _levels(tree):
        stop = ends[at[parents]]
        for children in (tree.left[parents], tree.right[parents]):
            at[children] = np.where(stop, at[parents], children)
    return at


def _levels(tree: Forest) -> list[Places]:
    """Inner nodes of a tree, level by level from the root."""
    inner = np.flatnonzero(~tree.is_leaf)
    depth = tree.node_depths[inner]
    order = np.argsort(depth, kind="stable")
    return np.split(inner[order], np.flatnonzero(np.diff(depth[order])) + 1) if len(inner) else []
