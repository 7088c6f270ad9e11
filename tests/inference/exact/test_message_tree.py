"""Trees of cliques with at most three neighbours (inference.20)."""

import numpy as np
import pytest

from margin.inference import JunctionTree
from margin.inference.exact._message_tree import message_tree


def reached(tree, start, inside):
    seen, stack = {start}, [start]
    while stack:
        for other in tree.neighbours[stack.pop()]:
            if other in inside and other not in seen:
                seen.add(other)
                stack.append(other)
    return seen


@pytest.mark.parametrize("seed", range(12))
def test_it_is_one_tree_of_low_degree_with_running_intersection(seed, random_model):
    model = random_model(np.random.default_rng(seed), 7 if seed % 2 else None, tree=seed % 3 == 0)
    compiled = JunctionTree.compile(model.cardinalities, model.scopes)
    tree = message_tree(model.n_variables, compiled.cliques, compiled.parents)
    everything = set(range(len(tree.nodes)))
    assert reached(tree, 0, everything) == everything
    assert sum(map(len, tree.neighbours)) == tree.n_messages
    assert max(map(len, tree.neighbours)) <= 3
    for v in range(model.n_variables):
        holders = {k for k, node in enumerate(tree.nodes) if v in node}
        assert set(tree.holders[v]) == holders
        assert reached(tree, min(holders), holders) == holders


def test_a_wide_star_is_shallow_and_its_inner_nodes_are_small():
    n = 1000
    tree = message_tree(n + 1, [(0, k) for k in range(1, n + 1)], [-1] + [0] * (n - 1))
    assert all(node == (0,) for node in tree.nodes[n:])
    far = tree.paths(0, [777])
    assert far[-1][1] == 0
    assert len(far) <= 11


def test_separate_components_hang_on_a_node_without_variables():
    tree = message_tree(3, [(0,), (1,), (2,)], [-1, -1, -1])
    assert tree.nodes[3:] == [(), ()]
    assert tree.separator(0, tree.neighbours[0][0]) == ()
    assert message_tree(0, [], []).nodes == [()]


def test_homes_are_the_smallest_cliques_that_fit():
    tree = message_tree(4, [(0, 1, 2), (2, 3)], [-1, 0])
    assert tree.home((2,), [8, 4]) == 1
    assert tree.home((2, 0), [8, 4]) == 0
    assert tree.home((0, 3), [8, 4]) == -1
    assert tree.home((), [8, 4]) == 0


def test_paths_join_the_nearest_holders_farthest_first():
    tree = message_tree(5, [(0, 1), (1, 2), (2, 3), (3, 4)], [-1, 0, 1, 2])
    assert tree.paths(0, [0, 1]) == []
    assert tree.paths(0, [0, 3]) == [(2, 1), (1, 0)]
    assert tree.paths(1, [0, 4]) in ([(3, 2), (2, 1), (0, 1)], [(3, 2), (0, 1), (2, 1)])
