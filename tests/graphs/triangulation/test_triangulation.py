from math import log

import networkx as nx
import pytest

from margin.graphs import (
    UndirectedGraph,
    is_triangulated,
    maximal_cliques,
    triangulate,
    triangulate_in_order,
)


@pytest.mark.parametrize("heuristic", ["min-fill", "weighted-min-fill", "best", "exact"])
@pytest.mark.parametrize("seed", range(4))
def test_fill_makes_the_graph_triangulated(random_graph, heuristic, seed):
    graph = random_graph(12, 0.25, seed)
    result = triangulate(graph, heuristic=heuristic)
    filled = UndirectedGraph(graph.nodes, graph.edges + result.fill)
    assert is_triangulated(filled)
    assert len(filled.edges) == len(graph.edges) + len(result.fill)
    assert {frozenset(c) for c in result.cliques} == {frozenset(c) for c in maximal_cliques(filled)}
    assert result.width == max(map(len, maximal_cliques(filled))) - 1


def test_a_triangulated_graph_gets_no_fill(random_graph):
    graph, _ = nx.complete_to_chordal_graph(random_graph(15, 0.2, 1).to_networkx())
    ours = UndirectedGraph.from_networkx(graph)
    for heuristic in ("min-fill", "exact"):
        assert triangulate(ours, heuristic=heuristic).fill == ()


def test_weights_decide():
    """A square is cut between the two lighter corners."""
    square = UndirectedGraph.from_edges(["ab", "bc", "cd", "da"])
    heavy = triangulate(square, {"a": 9, "b": 2, "c": 9, "d": 2})
    assert heavy.fill == (("b", "d"),)
    assert heavy.log_size == pytest.approx(log(2 * 9 * 2 * 2))
    other = triangulate(square, {"a": 2, "b": 9, "c": 2, "d": 9}, "exact")
    assert other.fill == (("a", "c"),)


def test_an_order_of_ones_own():
    star = UndirectedGraph(5, [(0, i) for i in range(1, 5)])
    assert triangulate_in_order(star, (1, 2, 3, 4, 0)).width == 1
    assert triangulate_in_order(star, (0, 1, 2, 3, 4)).width == 4
    with pytest.raises(ValueError, match="order must name every node once"):
        triangulate_in_order(star, (0, 1))


def test_bad_weights_are_refused():
    graph = UndirectedGraph(["a", "b"])
    with pytest.raises(ValueError, match="weights must name every node, got none for 'b'"):
        triangulate(graph, {"a": 2})


def test_no_node():
    result = triangulate(UndirectedGraph(0))
    assert (result.order, result.cliques, result.width) == ((), (), -1)
