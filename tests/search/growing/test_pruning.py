"""Weakest-link pruning against brute force over all pruned trees (tree.03)."""

from dataclasses import replace

import numpy as np
import pytest

from margin.search import ExactSettings, ExactTable, NumberTargets, PruningPath, grow_exact, pruned
from margin.search.growing._pruning import branch_strengths, cut, standing


@pytest.fixture
def rng():
    return np.random.default_rng(12)


def grown(rng, n=25, **rules):
    X = rng.normal(size=(n, 2))
    y = X[:, 0] * X[:, 1] + rng.normal(size=n)
    return X, grow_exact(
        ExactTable.of(X), NumberTargets(y[None]), ExactSettings("squared", **rules)
    )


def all_prunings(tree, i=0):
    """Sets of leaves of every pruned tree below node i."""
    yield (i,)
    if tree.left[i] >= 0:
        for left in all_prunings(tree, tree.left[i]):
            for right in all_prunings(tree, tree.right[i]):
                yield left + right


def cost(tree, leaves, strength):
    at = np.array(leaves)
    return (tree.impurity[at] * tree.cover[at]).sum() / tree.cover[0] + strength * len(at)


def test_no_pruned_tree_is_cheaper(rng):
    _, tree = grown(rng, n=40, max_leaf_nodes=9)
    candidates = list(all_prunings(tree))
    for strength in (0.0, 0.01, 0.03, 0.1, 0.3, 1.0):
        best = min(cost(tree, leaves, strength) for leaves in candidates)
        small = pruned(tree, strength)
        own = (small.impurity * small.cover)[small.is_leaf].sum() / small.cover[0]
        np.testing.assert_allclose(own + strength * small.n_leaves[0], best)


def test_path_rises_and_is_nested(rng):
    _, tree = grown(rng, n=60)
    path = PruningPath.of(tree)
    assert (np.diff(path.strengths) >= 0).all()
    assert (np.diff(path.risks) >= -1e-12).all()
    np.testing.assert_allclose(path.risks[-1], tree.impurity[0])
    sizes = [pruned(tree, s).n_leaves[0] for s in path.strengths]
    assert sizes[-1] == 1
    assert (np.diff(sizes) <= 0).all()


def test_pruned_tree_predicts_what_its_nodes_say(rng):
    X, tree = grown(rng, n=60)
    path = PruningPath.of(tree)
    leaves = tree.apply(X).ravel()
    for strength in path.strengths[:: max(1, len(path.strengths) // 7)]:
        small = pruned(tree, strength)
        small.check()
        at = standing(tree, path.node_strengths, strength)[leaves]
        np.testing.assert_array_equal(small.predict(X), tree.value[at])


def test_cut_at_the_root(rng):
    _, tree = grown(rng)
    ends = np.zeros(tree.n_nodes, dtype=bool)
    ends[0] = True
    root = cut(tree, ends)
    assert root.n_nodes == 1
    assert root.value[0, 0] == tree.value[0, 0]


def test_a_single_leaf_has_nothing_to_cut():
    tree = grow_exact(
        ExactTable.of(np.ones((3, 1))), NumberTargets(np.ones((1, 3))), ExactSettings("squared")
    )
    assert pruned(tree, 1.0).n_nodes == 1
    np.testing.assert_array_equal(PruningPath.of(tree).strengths, [0.0])


def test_agreement_with_scikit_learn(rng):
    tree_module = pytest.importorskip("sklearn.tree")
    X = rng.normal(size=(200, 3)).astype(np.float32)
    y = X[:, 0] + rng.normal(size=200)
    tree = grow_exact(ExactTable.of(X), NumberTargets(y[None]), ExactSettings("squared"))
    theirs = tree_module.DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(X, y)
    path = PruningPath.of(tree)
    np.testing.assert_allclose(path.strengths, theirs.ccp_alphas, atol=1e-10)
    np.testing.assert_allclose(path.risks, theirs.impurities, atol=1e-10)


def test_gains_and_impurities_give_the_same_strengths(rng):
    _, tree = grown(rng, 80, max_depth=4)
    np.testing.assert_allclose(
        branch_strengths(_in_sums(tree)), PruningPath.of(tree).node_strengths, rtol=1e-9
    )


def _in_sums(tree):
    """The tree with gains as growth on bins has them: not divided by the weight."""
    risk = tree.impurity * tree.cover
    inner = ~tree.is_leaf
    gain = np.zeros(tree.n_nodes)
    gain[inner] = risk[inner] - risk[tree.left[inner]] - risk[tree.right[inner]]
    return replace(tree, gain=gain)
