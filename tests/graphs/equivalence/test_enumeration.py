import pytest

from margin.graphs import (
    PDAG,
    UndirectedGraph,
    count_dags,
    cpdag,
    enumerate_cpdags,
    enumerate_dags,
    equivalence_class,
    orient,
)


def test_numbers_of_dags():
    """graphs.14: 1, 3, 25, 543, by counting and by recurrence."""
    found = [len(set(enumerate_dags(n))) for n in range(1, 5)]
    assert found == [1, 3, 25, 543] == [count_dags(n) for n in range(1, 5)]
    assert count_dags(6) == 3781503
    assert len(list(enumerate_dags(0))) == 1


def test_numbers_of_classes():
    """graphs.14: 185 on four nodes."""
    assert [sum(1 for _ in enumerate_cpdags(n)) for n in range(1, 5)] == [1, 2, 11, 185]


def test_classes_partition_the_dags(four_node_dags):
    """graphs.14"""
    seen = set()
    for graph in enumerate_cpdags(["a", "b", "c", "d"]):
        members = list(equivalence_class(graph))
        assert len(set(members)) == len(members)
        assert all(cpdag(dag) == graph for dag in members)
        assert not seen & set(members)
        seen |= set(members)
    assert seen == set(four_node_dags)


def test_a_complete_graph_has_n_factorial_members():
    """graphs.14"""
    complete = PDAG(5, undirected=UndirectedGraph(5).complement().edges)
    assert sum(1 for _ in equivalence_class(complete)) == 120
    first = orient(complete, tiers=[[0], [1, 2, 3, 4]])
    assert sum(1 for _ in equivalence_class(first)) == 24


def test_a_tree_has_one_member_per_root():
    """graphs.14"""
    chain = PDAG(6, undirected=[(i, i + 1) for i in range(5)])
    assert sum(1 for _ in equivalence_class(chain)) == 6


def test_refusals():
    with pytest.raises(ValueError, match=r"nodes must be at most 6, got 7 \(1138779265 graphs\)"):
        next(enumerate_dags(7))
    square = PDAG(4, undirected=[(0, 1), (1, 2), (2, 3), (3, 0)])
    with pytest.raises(ValueError, match="graph must have a DAG extension"):
        next(equivalence_class(square))
