from itertools import permutations

import numpy as np
import pytest

from margin.graphs import (
    DAG,
    UndirectedGraph,
    cpdag,
    independences,
    is_imap,
    minimal_imap,
    minimal_markov_network,
    moral_graph,
    perfect_map,
    separation_oracle,
    table_oracle,
)

ALARM = DAG.from_edges([("burglary", "alarm"), ("earthquake", "alarm"), ("alarm", "call")])


def test_imap_means_that_its_independences_are_among_the_true_ones(four_node_dags):
    """graphs.15: by comparing I(G) as sets."""
    sample = four_node_dags[::30]
    statements = [set(independences(dag)) for dag in sample]
    for truth, known in zip(sample, statements, strict=True):
        oracle = separation_oracle(truth)
        for dag, implied in zip(sample, statements, strict=True):
            assert is_imap(dag, oracle) == (implied <= known)
            assert is_imap(dag, oracle, "global") == (implied <= known)


def test_imap_of_a_table_is_factorisation(random_joint):
    """graphs.15"""
    oracle = table_oracle(random_joint(ALARM, 0), ALARM.nodes)
    assert is_imap(ALARM, oracle)
    assert is_imap(moral_graph(ALARM), oracle)
    assert not is_imap(ALARM.without_edges([("alarm", "call")]), oracle)


@pytest.mark.parametrize("order", list(permutations(ALARM.nodes)))
def test_minimal_imap_loses_everything_with_one_edge(order):
    """graphs.15: an I-map in any order, and none without one of its edges."""
    oracle = separation_oracle(ALARM)
    found = minimal_imap(oracle, order)
    assert is_imap(found, oracle)
    assert len(found.edges) >= len(ALARM.edges)
    for edge in found.edges:
        assert not is_imap(found.without_edges([edge]), oracle)


def test_minimal_imap_in_a_causal_order_is_the_truth(four_node_dags):
    """graphs.15"""
    for dag in four_node_dags[::5]:
        assert minimal_imap(separation_oracle(dag), dag.topological_order()) == dag


def test_minimal_markov_network_is_the_moral_graph(four_node_dags):
    """graphs.15, graphs.09"""
    for dag in four_node_dags[::5]:
        assert minimal_markov_network(separation_oracle(dag), dag.nodes) == moral_graph(dag)


def test_perfect_map_recovers_every_class(four_node_dags):
    """graphs.15"""
    for dag in four_node_dags[::3]:
        assert perfect_map(separation_oracle(dag), dag.nodes) == cpdag(dag)


def test_perfect_map_from_a_table(random_joint):
    """graphs.15"""
    oracle = table_oracle(random_joint(ALARM, 3), ALARM.nodes, tol=1e-9)
    assert perfect_map(oracle, ALARM.nodes) == cpdag(ALARM)


def test_exclusive_or_has_no_perfect_map():
    """graphs.15: pairs are independent, the triple is not."""
    xor = np.zeros((2, 2, 2))
    for a in range(2):
        for b in range(2):
            xor[a, b, a ^ b] = 0.25
    assert perfect_map(table_oracle(xor), range(3)) is None


def test_an_undirected_square_has_no_perfect_map():
    """graphs.15: the skeleton is a cycle without collider."""
    square = UndirectedGraph(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert perfect_map(separation_oracle(square), range(4)) is None
    with pytest.raises(ValueError, match="nodes must be at most 16, got 17"):
        perfect_map(separation_oracle(DAG(17)), range(17))
