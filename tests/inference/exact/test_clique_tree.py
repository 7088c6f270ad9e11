"""The structure of the tree of cliques and its cost (inference.20)."""

import copy

import numpy as np
import pytest

from margin.inference import JunctionTree, MemoryLimitError
from margin.inference.exact._clique_tree import CliqueTree


def test_structure_of_the_tree(random_model):
    """Every factor fits a clique, and cliques with a variable hang together (inference.20)."""
    for seed in range(20):
        model = random_model(np.random.default_rng(seed))
        tree = JunctionTree.compile(model.cardinalities, model.scopes)
        cliques = [set(c) for c in tree.cliques]
        assert all(any(c.issuperset(s) for c in cliques) for s in model.scopes)
        for v in range(model.n_variables):
            holders = [k for k, c in enumerate(cliques) if v in c]
            tops = [k for k in holders if tree.parents[k] not in holders]
            assert len(tops) == 1
        assert tree.plan.treewidth + 1 == max(map(len, cliques))
        assert tree.plan.n_cliques == len(cliques)


def test_a_cycle_of_four_has_treewidth_two_and_a_grid_its_width():
    ring = JunctionTree.compile((2,) * 4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert ring.plan.treewidth == 2
    n = 5
    grid = [(i * n + j, i * n + j + 1) for i in range(n) for j in range(n - 1)]
    grid += [(i * n + j, i * n + n + j) for i in range(n - 1) for j in range(n)]
    assert JunctionTree.compile((2,) * n * n, grid).plan.treewidth == n


def test_a_graph_too_large_to_plan_is_refused():
    n = 70
    grid = [(i * n + j, i * n + j + 1) for i in range(n) for j in range(n - 1)]
    grid += [(i * n + j, i * n + n + j) for i in range(n - 1) for j in range(n)]
    with pytest.raises(MemoryLimitError, match="loopy_bp"):
        JunctionTree.compile((2,) * n * n, grid)


def test_separators_are_what_a_clique_shares_with_its_parent():
    tree = JunctionTree.compile((2,) * 3, ((0, 1), (1, 2)))
    assert sorted(tree.separators) == [(), (1,)]


def test_a_given_order_is_the_order_and_targets_share_a_clique():
    ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    tree = CliqueTree.compile((2,) * 4, ring, order=[2, 0, 1, 3])
    assert tree.order == (2, 0, 1, 3)
    assert {frozenset(c) for c in tree.cliques} == {frozenset({1, 2, 3}), frozenset({0, 1, 3})}
    together = CliqueTree.compile((2,) * 4, ring, targets=[0, 2])
    assert all({0, 2} <= set(c) for c in together.cliques)


def test_evidence_makes_the_plan_cheaper():
    tree = CliqueTree.compile((3,) * 4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert tree.plan.largest_entries == 27
    assert tree.explain_plan({0: 1}).largest_entries == 9
    assert tree.explain_plan().bytes == tree.plan.bytes


def test_a_copy_keeps_its_class_and_settings():
    for kind in (CliqueTree, JunctionTree):
        tree = copy.deepcopy(kind.compile((2, 3), [(0, 1)], order=[1, 0]))
        assert type(tree) is kind
        assert tree.order == (1, 0)
        assert repr(tree) == f"{kind.__name__}(2 variables, 1 factors)"
