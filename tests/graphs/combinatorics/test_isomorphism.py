from itertools import permutations

import networkx as nx
import numpy as np
import pytest

from margin.graphs import DAG, MixedGraph, UndirectedGraph, find_isomorphism, is_isomorphic


def renamed(graph, seed):
    order = np.random.default_rng(seed).permutation(len(graph)).tolist()
    return type(graph)(len(graph), [(order[a], order[b]) for a, b in graph.edges])


@pytest.mark.parametrize("seed", range(6))
def test_a_renaming_is_found_and_is_one(random_graph, random_dag, seed):
    """graphs.18"""
    for graph in (random_graph(10, 0.3, seed), random_dag(10, 0.3, seed)):
        other = renamed(graph, seed)
        mapping = find_isomorphism(graph, other)
        again = type(graph)(len(graph), [(mapping[a], mapping[b]) for a, b in graph.edges])
        assert again == other


def test_against_every_permutation(random_dag):
    """graphs.18: brute force on four nodes."""
    dags = [random_dag(4, 0.5, seed) for seed in range(12)]
    for first in dags:
        for second in dags:
            expected = any(
                {(p[a], p[b]) for a, b in first.edges} == set(second.edges)
                for p in permutations(range(4))
            )
            assert is_isomorphic(first, second) == expected


@pytest.mark.parametrize("seed", range(10))
def test_regular_graphs_against_networkx(seed):
    """graphs.18: colours do not help where every node has three neighbours."""
    one, two = (nx.random_regular_graph(3, 8, seed=s) for s in (seed, seed + 100))
    ours = [UndirectedGraph.from_networkx(graph) for graph in (one, two)]
    assert is_isomorphic(*ours) == nx.is_isomorphic(one, two)


def test_what_refinement_cannot_tell_apart():
    """graphs.18"""
    circle = UndirectedGraph(6, [(i, (i + 1) % 6) for i in range(6)])
    triangles = UndirectedGraph(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])
    assert not is_isomorphic(circle, triangles)


def test_labels_kinds_and_types_count():
    pair = UndirectedGraph(2, [(0, 1)])
    swapped = find_isomorphism(pair, pair, ({0: "C", 1: "O"}, {0: "O", 1: "C"}))
    assert swapped == {0: 1, 1: 0}
    assert find_isomorphism(pair, pair, ({0: "C", 1: "O"}, {0: "O", 1: "O"})) is None
    bow, arrow = MixedGraph(2, [(0, 1)], [(0, 1)]), MixedGraph(2, [(0, 1)])
    assert not is_isomorphic(bow, arrow)
    assert not is_isomorphic(DAG(2), UndirectedGraph(2))
    assert not is_isomorphic(DAG(2), DAG(3))
    assert find_isomorphism(DAG(0), DAG(0)) == {}
