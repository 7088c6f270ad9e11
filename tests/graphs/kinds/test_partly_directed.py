import numpy as np
import pytest

from margin.graphs import DAG, PDAG, ChainGraph


@pytest.mark.parametrize("make", [PDAG, ChainGraph])
def test_relatives_and_matrix(make):
    """graphs.04"""
    graph = make(["a", "b", "c", "d"], [("a", "b"), ("d", "c")], [("c", "b")])
    assert graph.parents("b") == ("a",)
    assert graph.children("d") == ("c",)
    assert graph.neighbours("c") == ("b",)
    assert graph.adjacent("c") == ("b", "d")
    assert graph.edges == (("a", "b"), ("d", "c"), ("b", "c"))
    assert make.from_adjacency(graph.adjacency(), graph.nodes) == graph
    assert np.array_equal(
        graph.skeleton().adjacency(), np.maximum(graph.adjacency(), graph.adjacency().T)
    )


@pytest.mark.parametrize("make", [PDAG, ChainGraph])
def test_a_pair_has_an_arrow_or_an_edge(make):
    with pytest.raises(ValueError, match=r"edges must be directed or undirected, got both: 0, 1"):
        make(2, [(1, 0)], [(0, 1)])
    with pytest.raises(ValueError, match="nodes must be as many as the 2 rows"):
        make.from_adjacency(np.zeros((2, 2)), ["a"])


@pytest.mark.parametrize("make", [PDAG, ChainGraph])
def test_a_dag_is_one(make):
    dag = DAG.from_edges([("a", "b"), ("b", "c")])
    graph = make.from_dag(dag)
    assert graph.directed == dag.edges
    assert graph.undirected == ()
