import numpy as np
import pytest

from margin.graphs import (
    DAG,
    Independence,
    UndirectedGraph,
    independences,
    markov_statements,
    markov_violations,
    separation_oracle,
    table_oracle,
)

KINDS = ["global", "local", "pairwise"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_satisfies_its_own_properties(four_node_dags, random_graph, kind):
    """graphs.15"""
    graphs = [*four_node_dags[::11], *(random_graph(5, 0.4, seed) for seed in range(5))]
    for graph in graphs:
        assert list(markov_violations(graph, separation_oracle(graph), kind)) == []
        assert set(markov_statements(graph, kind)) <= set(independences(graph))


def test_local_and_global_hold_together_in_a_dag(four_node_dags):
    """graphs.15: for every pair of DAGs, one as candidate and one as truth."""
    for truth in four_node_dags[::40]:
        oracle = separation_oracle(truth)
        for dag in four_node_dags[::17]:
            local = next(markov_violations(dag, oracle, "local"), None) is None
            whole = next(markov_violations(dag, oracle, "global"), None) is None
            assert local == whole


def test_without_positivity_pairwise_is_weaker_than_local():
    """graphs.15: three copies of one coin on a graph without edges."""
    joint = np.zeros((2, 2, 2))
    joint[0, 0, 0] = joint[1, 1, 1] = 0.5
    oracle, empty = table_oracle(joint), UndirectedGraph(3)
    assert list(markov_violations(empty, oracle, "pairwise")) == []
    assert len(list(markov_violations(empty, oracle, "local"))) == 3


def test_the_statements_of_a_diamond():
    """graphs.15"""
    dag = DAG.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    assert set(markov_statements(dag)) == {
        Independence(("b",), ("c",), ("a",)),
        Independence(("d",), ("a",), ("b", "c")),
    }
    assert set(markov_statements(dag, "pairwise")) == {
        Independence(("b",), ("c",), ("a",)),
        Independence(("d",), ("a",), ("b", "c")),
    }


def test_unknown_property_is_refused():
    with pytest.raises(ValueError, match="kind must be one of 'global', 'local', 'pairwise'"):
        markov_statements(DAG(2), "total")
