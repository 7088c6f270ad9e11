import pytest

from margin.graphs import PDAG


def test_a_directed_cycle_is_refused_by_name():
    with pytest.raises(
        ValueError, match="PDAG: directed must form no directed cycle, got 0 -> 1 -> 0"
    ):
        PDAG(3, [(0, 1), (1, 0)])


def test_a_cycle_with_an_undirected_edge_is_allowed():
    """graphs.04: its directions are open, unlike in a chain graph."""
    graph = PDAG(3, [(0, 1)], [(1, 2), (2, 0)])
    assert graph.undirected == ((0, 2), (1, 2))
    assert PDAG.from_bits(3, graph._parents, graph._neighbours) == graph
