"""Distances of graphs."""

import numpy as np
import pytest

from margin.causal import CausalGraph, structural_hamming_distance
from margin.graphs import DAG, PDAG, enumerate_dags


def test_missing_additional_and_turned_edges():
    truth = DAG(list("abcd"), [("a", "b"), ("b", "c")])
    found = CausalGraph(list("dcba"), [("b", "a"), ("c", "d")])
    assert structural_hamming_distance(truth, found) == 3
    assert structural_hamming_distance(truth, PDAG(list("abcd"), [("a", "b")], [("b", "c")])) == 1
    both = CausalGraph(list("ab"), [("a", "b")], [("a", "b")])
    assert structural_hamming_distance(DAG(list("ab"), [("a", "b")]), both) == 1


def test_a_metric_on_all_graphs_of_three_nodes():
    graphs = list(enumerate_dags(3))
    D = np.array([[structural_hamming_distance(a, b) for b in graphs] for a in graphs])
    assert ((D == 0) == np.eye(len(graphs), dtype=bool)).all()
    np.testing.assert_array_equal(D, D.T)
    assert (D[:, :, None] + D[None] >= D[:, None, :]).all()


def test_other_nodes():
    with pytest.raises(ValueError, match=r"nodes of the truth, got \['b', 'c'\]"):
        structural_hamming_distance(DAG(list("ab"), []), DAG(list("ac"), []))
