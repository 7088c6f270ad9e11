"""A joint table against graphs (graphical.01, .03 to .07, .13)."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import JointTable, MarkovNetwork
from margin.graphs import DAG, UndirectedGraph, cpdag


def xor():
    table = np.zeros((2, 2, 2))
    for a in range(2):
        for b in range(2):
            table[a, b, a ^ b] = 0.25
    return JointTable(table, ["a", "b", "c"])


@pytest.mark.parametrize("order", list(permutations(range(3)))[:4])
def test_cascade_reproduces_any_joint(order):
    """graphical.01, graphical.02: the chain rule in any order, with as many parameters."""
    values = np.random.default_rng(0).dirichlet(np.ones(12)).reshape(2, 3, 2)
    table = JointTable(values, ["a", "b", "c"])
    network = table.cascade(["abc"[i] for i in order])
    assert_allclose(network.query(["a", "b", "c"]).values, values, atol=1e-13)
    assert network.n_parameters == 11 == network.n_parameters_joint


@pytest.mark.parametrize("seed", range(3))
def test_imaps_and_factorisation_go_together(make_network, seed):
    """graphical.05: p factorises over a DAG exactly when the DAG is an I-map."""
    network = make_network(np.random.default_rng(seed), n=4, cards=(2,))
    table, truth = JointTable.of(network), network.graph
    assert table.is_imap(truth)
    assert table.factorises(truth)
    for edge in truth.edges:
        fewer = truth.without_edges([edge])
        assert table.is_imap(fewer) == table.factorises(fewer)
    assert table.is_imap(DAG(truth.nodes, []) if not truth.edges else truth)


def test_minimal_imap_of_the_burglary_network(burglary):
    """graphical.03, graphical.04, graphical.05: the causal order is the sparsest."""
    table = JointTable.of(burglary)
    assert table.minimal_imap(["burglary", "earthquake", "alarm"]) == burglary.graph
    assert table.is_minimal_imap(burglary.graph)
    backwards = table.minimal_imap(["alarm", "burglary", "earthquake"])
    assert len(backwards.edges) == 3
    assert table.is_minimal_imap(backwards)
    order, graph = table.best_order()
    assert order[-1] == "alarm"
    assert len(graph.edges) == 2


def test_exclusive_or_has_no_perfect_map():
    """graphical.06, graphical.07"""
    table = xor()
    assert table.perfect_map() is None
    collider = DAG.from_edges([("a", "c"), ("b", "c")])
    assert table.is_markov(collider)
    assert table.is_minimal_imap(collider)
    assert not table.is_faithful(collider)


def test_perfect_map_is_the_class_of_the_truth(burglary):
    """graphical.06: and the truth is Markov, faithful and minimal (graphical.07)."""
    table = JointTable.of(burglary)
    assert table.perfect_map() == cpdag(burglary.graph)
    assert table.is_markov(burglary.graph)
    assert table.is_faithful(burglary.graph)
    complete = DAG.from_edges([("burglary", "earthquake"), *burglary.graph.edges])
    assert table.is_markov(complete)
    assert not table.is_faithful(complete)
    assert not table.is_minimal_imap(complete)


def test_cancelling_paths_are_unfaithful():
    """graphical.07: X -> Z -> Y <- X whose two effects cancel; X and Y look independent."""
    z = np.array([[0.8, 0.2], [0.3, 0.7]])  # p(z | x)
    y0 = np.array([0.2, 0.6])  # p(y=1 | x=0, z)
    target = z[0] @ y0
    y1 = np.array([(target - z[1, 1] * 0.1) / z[1, 0], 0.1])
    joint = np.zeros((2, 2, 2))
    for x, rates in enumerate((y0, y1)):
        joint[x, :, 1], joint[x, :, 0] = 0.5 * z[x] * rates, 0.5 * z[x] * (1 - rates)
    table = JointTable(joint, ["x", "z", "y"])
    graph = DAG.from_edges([("x", "z"), ("z", "y"), ("x", "y")])
    assert table.independent("x", "y")
    assert not table.independent("x", "y", "z")
    assert table.is_markov(graph)
    assert not table.is_faithful(graph)


def test_undirected_properties_of_a_positive_law():
    """graphical.13: Hammersley and Clifford, all three properties and the product together."""
    rng = np.random.default_rng(0)
    square = UndirectedGraph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    field = MarkovNetwork({edge: rng.random((2, 2)) + 0.2 for edge in square.edges})
    table = JointTable.of(field)
    for kind in ("global", "local", "pairwise"):
        assert table.is_markov(square, kind)
    assert table.factorises(square)
    path = UndirectedGraph(square.nodes, [("a", "b"), ("b", "c"), ("c", "d")])
    assert not table.factorises(path)
    assert not table.is_markov(path, "pairwise")


def test_copies_are_pairwise_but_not_globally_markov():
    """graphical.13: the three properties are equivalent for positive laws only."""
    values = np.zeros((2, 2, 2))
    values[0, 0, 0] = values[1, 1, 1] = 0.5
    table = JointTable(values, ["a", "b", "c"])
    empty = UndirectedGraph(["a", "b", "c"])
    assert table.is_markov(empty, "pairwise")
    assert not table.is_markov(empty, "global")
    with pytest.raises(ValueError, match="values must be positive for clique potentials"):
        table.factorises(empty)


def test_refusals():
    with pytest.raises(ValueError, match="names must be of 2 axes"):
        JointTable(np.ones((2, 2)), ["a"])
    wide = JointTable(np.ones((1,) * 13), [f"v{i}" for i in range(13)])
    with pytest.raises(ValueError, match="names must be at most 12 for perfect_map, got 13"):
        wide.perfect_map()
