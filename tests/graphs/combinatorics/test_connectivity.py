from itertools import pairwise, permutations

import networkx as nx
import pytest

from margin.graphs import (
    UndirectedGraph,
    chords,
    connected_components,
    cycles,
    diameter,
    distances,
    is_connected,
    is_forest,
    is_tree,
    simple_paths,
)


@pytest.mark.parametrize("seed", range(6))
def test_components_trees_and_distances_agree_with_networkx(random_graph, seed):
    """graphs.02"""
    graph = random_graph(12, 0.06 + 0.04 * seed, seed)
    other = graph.to_networkx()
    assert {frozenset(c) for c in connected_components(graph)} == {
        frozenset(c) for c in nx.connected_components(other)
    }
    assert is_connected(graph) == nx.is_connected(other)
    assert is_forest(graph) == nx.is_forest(other)
    assert is_tree(graph) == nx.is_tree(other)
    assert distances(graph, 0) == nx.single_source_shortest_path_length(other, 0)
    expected = nx.diameter(other) if nx.is_connected(other) else float("inf")
    assert diameter(graph) == expected


@pytest.mark.parametrize("seed", range(5))
def test_simple_paths_against_every_permutation(random_graph, seed):
    """graphs.02"""
    graph = random_graph(6, 0.5, seed)
    inner = [(0, *middle, 5) for k in range(5) for middle in permutations(range(1, 5), k)]
    expected = {path for path in inner if all(graph.has_edge(a, b) for a, b in pairwise(path))}
    found = list(simple_paths(graph, 0, 5))
    assert set(found) == expected
    assert len(found) == len(expected)
    assert list(simple_paths(graph, 2, 2)) == [(2,)]


@pytest.mark.parametrize("seed", range(5))
def test_cycles_agree_with_networkx(random_graph, seed):
    """graphs.02: as many, and each is a closed walk."""
    graph = random_graph(7, 0.45, seed)
    found = list(cycles(graph))
    assert len({frozenset(zip(c, (*c[1:], c[0]), strict=True)) for c in found}) == len(found)
    assert len(found) == sum(1 for _ in nx.simple_cycles(graph.to_networkx()))
    for cycle in found:
        assert all(graph.has_edge(cycle[i - 1], cycle[i]) for i in range(len(cycle)))


def test_chords():
    """graphs.02"""
    complete = UndirectedGraph(5).complement()
    assert len(chords(complete, range(5))) == 5 * 4 // 2 - 5
    assert chords(complete, [0, 1, 2]) == ()
    with pytest.raises(ValueError, match="cycle must be a simple cycle of the graph"):
        chords(UndirectedGraph(3, [(0, 1), (1, 2)]), [0, 1, 2])


def test_small_ones():
    """graphs.02: no node and one node."""
    assert is_connected(UndirectedGraph(0))
    assert is_tree(UndirectedGraph(1))
    assert diameter(UndirectedGraph(1)) == 0
    assert not is_tree(UndirectedGraph(2))
    assert is_forest(UndirectedGraph(2))
