"""The directed model as a checked value (graphical.01, graphical.02)."""

from itertools import permutations

import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, NoisyOr
from margin.graphical._network import topological_order
from margin.graphical.network._build import build
from margin.graphs import DAG


def test_parts_of_a_network():
    network = build(
        "Net", [("a", "c"), ("b", "c")], {"a": [0.5, 0.5], "b": [1.0], "c": [[[1, 0]]] * 2}
    )
    assert network.names == ("a", "c", "b")
    assert network.parents["c"] == ("a", "b")
    assert network.order.index("c") == 2
    assert network.domain.states == {"a": (0, 1), "c": (0, 1), "b": (0,)}
    assert network.graph == DAG(["a", "b", "c"], [("a", "c"), ("b", "c")])
    assert network.with_ancestors(["b"]) == {"b"}
    assert network.restricted({"b"}).names == ("b",)


@pytest.mark.parametrize("order", list(permutations(["a", "b", "c"])))
def test_parameters_of_the_complete_graph(order):
    """graphical.02: as many as the full joint, whatever the order of the variables."""
    card = {"a": 2, "b": 3, "c": 4}
    edges = [(x, y) for i, x in enumerate(order) for y in order[i + 1 :]]
    states = {name: range(k) for name, k in card.items()}
    network = build("Net", edges, None, states)
    assert network.n_parameters == 2 * 3 * 4 - 1 == network.n_parameters_joint


def test_parameters_of_the_burglary_network(burglary):
    """graphical.02: 1 + 1 + 4 against 7."""
    assert burglary.n_parameters == 6
    assert burglary.n_parameters_joint == 7


def test_cycle_is_named():
    with pytest.raises(ValueError, match="no cycle, got 'a' -> 'b' -> 'c' -> 'a'"):
        BayesianNetwork.from_edges([("a", "b"), ("b", "c"), ("c", "a")])
    with pytest.raises(ValueError, match="no cycle, got 'x' -> 'x'"):
        BayesianNetwork.from_edges([("x", "x")])
    assert topological_order("Net", {"b": ["a"], "a": []}) == ("a", "b")


def test_rounded_tables_are_mended_and_exact_ones_kept():
    exact = [0.1, 0.2, 0.7]
    assert build("Net", [], {"a": exact}).table("a").tolist() == exact
    thirds = build("Net", [], {"a": [0.3333333, 0.3333333, 0.3333333]}).table("a")
    assert_allclose(thirds.sum(), 1, rtol=1e-15)


def test_intervention_cuts_the_arrows():
    network = build("Net", [("a", "b")], {"a": [0.5, 0.5], "b": [[0.9, 0.1], [0.2, 0.8]]})
    done = network.intervene({"b": 1})
    assert done.parents["b"] == ()
    assert done.table("b").tolist() == [0.0, 1.0]
    with pytest.raises(ValueError, match="do must give 'b' a state"):
        network.intervene({"b": None})


def test_factors_of_many_causes():
    causes = [f"c{i}" for i in range(7)]
    cpds = {**{c: [0.5, 0.5] for c in causes}, "y": NoisyOr([0.5] * 7)}
    cards, scopes, tables = build("Net", [(c, "y") for c in causes], cpds).factors()
    assert cards == [2] * 8 + [2] * 6
    assert max(len(scope) for scope in scopes) == 3
    assert all(t.shape == tuple(cards[v] for v in s) for s, t in zip(scopes, tables, strict=True))
