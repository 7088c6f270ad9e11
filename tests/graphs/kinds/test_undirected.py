import numpy as np
import pytest

from margin.graphs import UndirectedGraph


def test_edges_are_kept_once_in_the_order_of_the_nodes():
    """graphs.01"""
    graph = UndirectedGraph(["c", "a", "b"], [("a", "c"), ("c", "a"), ("b", "a")])
    assert graph.edges == (("c", "a"), ("a", "b"))
    assert graph.neighbours("a") == ("c", "b")
    assert graph.degree("a") == 2
    assert graph.has_edge("b", "a")
    assert not graph.has_edge("b", "c")


@pytest.mark.parametrize("n", [0, 1, 9, 70])
def test_adjacency_round_trip(random_graph, n):
    """graphs.01"""
    graph = random_graph(n, 0.3, n)
    A = graph.adjacency()
    assert np.array_equal(A, A.T)
    assert A.sum() == 2 * len(graph.edges)
    assert UndirectedGraph.from_adjacency(A) == graph
    assert np.array_equal(graph.complement().adjacency() + A, 1 - np.eye(n))


def test_bad_matrices_are_refused():
    with pytest.raises(ValueError, match="matrix must be symmetric"):
        UndirectedGraph.from_adjacency([[0, 1], [0, 0]])
    with pytest.raises(ValueError, match="nodes must be as many as the 1 rows, got 2"):
        UndirectedGraph.from_adjacency([[0]], ["a", "b"])


def test_cliques_make_a_graph():
    graph = UndirectedGraph.from_cliques([["x", "y"], ["y", "z", "w"]], ["w", "x", "y", "z", "v"])
    assert graph.neighbours("y") == ("w", "x", "z")
    assert graph.neighbours("v") == ()


def test_subgraph():
    square = UndirectedGraph(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert square.subgraph([0, 1, 3]).edges == ((0, 1), (0, 3))
