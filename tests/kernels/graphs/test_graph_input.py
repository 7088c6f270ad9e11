"""Graphs as users have them."""

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from margin.graphs import DAG, UndirectedGraph
from margin.kernels.graphs._graph_input import graphs_of

CHAIN = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def packed(X, Z=None, label="label", unlabelled="uniform"):
    return graphs_of("K", X, Z, label, unlabelled)[0]


def test_all_forms_of_one_graph():
    named = nx.Graph([("a", "b"), ("b", "c")])
    double = nx.MultiGraph([("a", "b"), ("b", "c"), ("a", "b")])
    forms = [
        nx.path_graph(3),
        named,
        double,
        CHAIN,
        CHAIN * 2.5,
        CHAIN.tolist(),
        sparse.csr_array(CHAIN),
        (sparse.coo_array(CHAIN), None),
        UndirectedGraph(3, [(0, 1), (1, 2)]),
    ]
    packed_set = packed(forms)
    assert packed_set.kinds is None
    for matrix, labels in packed_set:
        assert_array_equal(matrix.toarray(), CHAIN)
        assert labels.tolist() == [0, 0, 0]


def test_arrows():
    arrows = np.triu(CHAIN)
    packed_set = packed([nx.DiGraph([(0, 1), (1, 2)]), arrows, DAG(3, [(0, 1), (1, 2)])])
    parts = [packed_set.rows(g, g + 1) for g in range(3)]
    for part in parts:
        assert part.heads.tolist() == [1, 2, 0, 1]
        assert part.kinds.tolist() == [1, 1, 2, 2]


def test_labels():
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: "C", 1: "N", 2: "C"}, "atom")
    packed_set = packed(
        [graph, (CHAIN, ["C", "N", "C"]), (CHAIN, np.array(["C", "N", "C"]))], None, "atom"
    )
    assert packed_set.labels.tolist() == [0, 1, 0] * 3
    assert packed([graph], None, "other").labels.tolist() == [0, 0, 0]
    assert packed([CHAIN], None, "label", "degree").labels.tolist() == [0, 1, 0]


def test_graphs_without_nodes_are_neither_labelled_nor_not():
    packed_set = packed([nx.Graph(), (CHAIN, ["C", "N", "C"]), np.empty((0, 0)), ([], [])])
    assert np.diff(packed_set.offsets).tolist() == [0, 3, 0, 0]
    assert packed([]).offsets.tolist() == [0]


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (3, r"K: X\[0\] must be a networkx graph, an adjacency matrix, or a pair"),
        ("graph", r"K: X\[0\] must be a networkx graph"),
        (np.ones((2, 3)), r"K: X\[0\] must be a square adjacency matrix, got 'shape \(2, 3\)'"),
        (np.full((2, 2), np.nan), r"K: X\[0\] must be finite everywhere"),
        ((CHAIN, ["C"]), r"K: X\[0\] must be given 3 labels, one per node, got 1"),
        ((CHAIN, ["C", [], "C"]), r"K: X\[0\] must be of hashable labels"),
        ((CHAIN, [1.0, 2.0, float("nan")]), "K: labels must be equal to themselves"),
    ],
)
def test_what_is_no_graph_is_refused(graph, message):
    with pytest.raises(ValueError, match=message):
        packed([graph])


def test_one_graph_is_no_list():
    with pytest.raises(ValueError, match="K: X must be a list of graphs, got 'Graph'"):
        packed(nx.path_graph(3))


def test_labels_at_all_nodes_and_all_graphs():
    graph = nx.path_graph(3)
    graph.nodes[0]["label"] = "C"
    with pytest.raises(
        ValueError, match=r"X\[0\] must be given the attribute 'label' at all nodes"
    ):
        packed([graph])
    with pytest.raises(ValueError, match=r"Z\[0\] must be labelled as X\[0\] is, got 'no labels'"):
        packed([(CHAIN, "CNO")], [CHAIN])
    with pytest.raises(ValueError, match=r"X\[1\] must be without labels, got 'labels'"):
        packed([CHAIN, (CHAIN, "CNO")])
