import networkx as nx
import numpy as np
import pytest

from margin.graphs import (
    DAG,
    UndirectedGraph,
    clique_matrix,
    incidence_matrix,
    skeleton,
    walk_counts,
)


@pytest.mark.parametrize("seed", range(3))
def test_incidence_matrices(random_graph, random_dag, seed):
    """graphs.01: products that give degrees, adjacency and Laplacian back."""
    graph, dag = random_graph(8, 0.4, seed), random_dag(8, 0.4, seed)
    B, A = incidence_matrix(graph).astype(int), graph.adjacency().astype(int)
    assert np.array_equal(B @ B.T, np.diag(A.sum(1)) + A)
    assert np.array_equal(B, clique_matrix(graph, graph.edges))
    B = incidence_matrix(dag).astype(int)
    laplacian = nx.laplacian_matrix(skeleton(dag).to_networkx(), range(8)).toarray()
    assert np.array_equal(B @ B.T, laplacian)
    assert not B.sum(axis=0).any()


def test_walks_are_counted():
    """graphs.01: against a recursion over the edges."""
    graph = UndirectedGraph(4, [(0, 1), (1, 2), (2, 0), (2, 3)])

    def count(a, b, length):
        if length == 0:
            return int(a == b)
        return sum(count(c, b, length - 1) for c in graph.neighbours(a))

    for length in range(5):
        W = walk_counts(graph, length)
        assert W.tolist() == [[count(a, b, length) for b in range(4)] for a in range(4)]


def test_walks_of_a_dag_end_and_long_walks_do_not_overflow():
    """graphs.01"""
    chain = DAG(4, [(0, 1), (1, 2), (2, 3), (0, 2)])
    assert walk_counts(chain, 2)[0, 3] == 1
    assert walk_counts(chain, 3)[0, 3] == 1
    assert not walk_counts(chain, 4).any()
    complete = UndirectedGraph(3).complement()
    assert walk_counts(complete, 100)[0, 0] == (2**100 + 2) // 3
    with pytest.raises(ValueError, match="length must be at least 0, got -1"):
        walk_counts(complete, -1)
    assert walk_counts(UndirectedGraph(0), 3).shape == (0, 0)
