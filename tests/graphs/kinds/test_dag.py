import networkx as nx
import numpy as np
import pytest

from margin.graphs import DAG, walk_counts

DIAMOND = DAG.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e")])


def test_relatives_on_a_diamond():
    """graphs.03"""
    assert DIAMOND.parents("d") == ("b", "c")
    assert DIAMOND.children("a") == ("b", "c")
    assert DIAMOND.family("d") == ("d", "b", "c")
    assert DIAMOND.co_parents("b") == ("c",)
    assert DIAMOND.ancestors("d") == ("a", "b", "c")
    assert DIAMOND.descendants("b") == ("d", "e")
    assert DIAMOND.ancestors(["b", "c"]) == ("a",)
    assert DIAMOND.roots() == ("a",)
    assert DIAMOND.leaves() == ("e",)


@pytest.mark.parametrize("seed", range(4))
def test_relatives_agree_with_networkx(random_dag, seed):
    """graphs.03"""
    dag = random_dag(20, 0.15, seed)
    other = dag.to_networkx()
    for node in dag.nodes:
        assert set(dag.ancestors(node)) == nx.ancestors(other, node)
        assert set(dag.descendants(node)) == nx.descendants(other, node)
        assert set(dag.parents(node)) == set(other.predecessors(node))
        assert set(dag.children(node)) == set(other.successors(node))


@pytest.mark.parametrize("seed", range(3))
def test_directed_paths_agree_with_networkx(random_dag, seed):
    """graphs.03: and a power of the adjacency counts them by length."""
    dag = random_dag(8, 0.5, seed)
    other = dag.to_networkx()
    for start in dag.nodes:
        for end in dag.nodes:
            found = list(dag.directed_paths(start, end))
            expected = list(nx.all_simple_paths(other, start, end)) if start != end else [[start]]
            assert sorted(found) == sorted(map(tuple, expected))
            for length in range(1, 4):
                count = sum(len(path) == length + 1 for path in found)
                assert count == walk_counts(dag, length)[dag.index(start), dag.index(end)]


def test_parents_keep_the_order_of_their_arrows():
    assert DAG(4, [(3, 0), (1, 0), (2, 0)]).parents(0) == (3, 1, 2)
    assert DAG(2, [(0, 1), (0, 1)]).edges == ((0, 1),)


@pytest.mark.parametrize("seed", range(3))
def test_adjacency_is_triangular_in_topological_order(random_dag, seed):
    """graphs.03"""
    dag = random_dag(12, 0.4, seed)
    A = dag.adjacency(dag.topological_order())
    assert np.array_equal(A, np.triu(A, 1))
    assert A.sum() == len(dag.edges)
    assert DAG.from_adjacency(dag.adjacency()) == dag


def test_a_cycle_is_refused_by_name():
    """graphs.03"""
    with pytest.raises(
        ValueError, match=r"DAG: edges must form no directed cycle, got b -> c -> b"
    ):
        DAG(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "b")])


def test_bad_matrices_are_refused():
    with pytest.raises(ValueError, match="matrix must be square"):
        DAG.from_adjacency(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="nodes must be as many as the 2 rows, got 1"):
        DAG.from_adjacency(np.zeros((2, 2)), ["a"])


def test_parts():
    part = DIAMOND.subgraph(["e", "a", "b", "d"])
    assert part.nodes == ("a", "b", "d", "e")
    assert part.edges == (("a", "b"), ("b", "d"), ("d", "e"))
    assert len(DIAMOND.without_edges([("a", "b")]).edges) == 4
