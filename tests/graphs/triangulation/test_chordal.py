import networkx as nx
import pytest

from margin.graphs import (
    UndirectedGraph,
    chords,
    cycles,
    is_triangulated,
    perfect_elimination_order,
    triangulate_in_order,
)


@pytest.mark.parametrize("seed", range(15))
def test_triangulated_means_every_long_cycle_has_a_chord(random_graph, seed):
    """graphs.02: brute force over the cycles, and networkx."""
    graph = random_graph(6, 0.25 + 0.04 * seed, seed)
    chordal = all(chords(graph, cycle) for cycle in cycles(graph) if len(cycle) > 3)
    assert is_triangulated(graph) == chordal == nx.is_chordal(graph.to_networkx())


@pytest.mark.parametrize("seed", range(6))
def test_a_perfect_order_needs_no_fill(random_graph, seed):
    """graphs.02"""
    graph = random_graph(9, 0.4, seed)
    order = perfect_elimination_order(graph)
    if order is None:
        assert not nx.is_chordal(graph.to_networkx())
    else:
        assert triangulate_in_order(graph, order).fill == ()


def test_small_ones():
    assert perfect_elimination_order(UndirectedGraph(0)) == ()
    assert is_triangulated(UndirectedGraph(4).complement())
