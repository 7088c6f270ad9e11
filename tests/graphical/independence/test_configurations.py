"""Chain, fork, collider; explaining away (graphical.08)."""

import numpy as np
import pytest

from margin.graphical import (
    BayesianNetwork,
    JointTable,
    elementary_configuration,
    explaining_away,
)
from margin.graphs import DAG

SHAPES = {
    "chain": [("a", "b"), ("b", "c")],
    "fork": [("b", "a"), ("b", "c")],
    "collider": [("a", "b"), ("c", "b")],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_configurations_and_their_independences(make_network, shape):
    """graphical.08: numerically, on random tables."""
    graph = DAG.from_edges(SHAPES[shape])
    assert elementary_configuration(graph, "a", "b", "c") == shape
    rng = np.random.default_rng(0)
    cpds = {n: rng.dirichlet(np.ones(2), size=(2,) * len(graph.parents(n))) for n in graph.nodes}
    network = BayesianNetwork.from_edges(graph, cpds)
    table = JointTable.of(network)
    assert table.independent("a", "c") == (shape == "collider")
    assert table.independent("a", "c", "b") == (shape != "collider")
    if shape != "collider":  # data processing: nothing is gained along the way

        def information(x, y):
            p = network.query([x, y]).values
            return np.sum(p * np.log(p / np.outer(p.sum(axis=1), p.sum(axis=0))))

        assert information("a", "c") <= information("a", "b")


def test_burglary_is_explained_away(burglary):
    """graphical.08: .5659476640 falls to .0309951060."""
    report = explaining_away(burglary, ("burglary", "yes"), ("earthquake", "yes"), ("alarm", "yes"))
    assert report.configuration == "collider"
    assert report.given_effect == pytest.approx(0.5659476640)
    assert report.given_both == pytest.approx(0.0309951060)
    assert report.given_other == report.prior == pytest.approx(0.01)
    assert report.explained_away
    assert "earthquake=yes explains burglary=yes away" in repr(report)


def test_a_descendant_of_the_effect_is_enough(burglary):
    """graphical.08: the same with the neighbour's call instead of the alarm."""
    model = burglary._model
    tables = {n: burglary.table(n) for n in burglary.variables}
    tables["call"] = [[0.95, 0.05], [0.1, 0.9]]
    states = {**model.domain.states, "call": ["no", "yes"]}
    network = BayesianNetwork.from_edges([*model.edges, ("alarm", "call")], tables, states)
    report = explaining_away(network, ("burglary", "yes"), ("earthquake", "yes"), ("call", "yes"))
    assert report.configuration == ""
    assert report.explained_away


def test_refusals(burglary):
    with pytest.raises(ValueError, match="'c' must be joined to 'a', got no edge"):
        elementary_configuration(DAG.from_edges(SHAPES["chain"]), "b", "a", "c")
    with pytest.raises(ValueError, match=r"events must be pairs \(variable, state\)"):
        explaining_away(burglary, "burglary", ("earthquake", "yes"), ("alarm", "yes"))
    with pytest.raises(ValueError, match="events must be of three variables"):
        explaining_away(burglary, ("alarm", "no"), ("earthquake", "yes"), ("alarm", "yes"))
