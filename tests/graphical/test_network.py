"""The directed model as a checked value (graphical.01, graphical.02)."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, LinearGaussianCPD, NoisyOr, TableCPD
from margin.graphical._network import build, topological_order
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


def test_order_of_parents_can_be_given():
    table = np.random.default_rng(0).dirichlet(np.ones(2), size=(3, 2))
    cpds = {"a": [0.5, 0.5], "b": [0.2, 0.3, 0.5], "c": TableCPD(table, parents=["b", "a"])}
    network = build("Net", [("a", "c"), ("b", "c")], cpds)
    assert network.parents["c"] == ("b", "a")
    assert_allclose(network.table("c"), table)


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


@pytest.mark.parametrize(
    ("edges", "cpds", "message"),
    [
        ([("a", "b")], {"a": [0.5, 0.5]}, "cpds must cover every node, got none for 'b'"),
        (
            [("a", "b")],
            {"a": [0.5, 0.5], "b": [[0.5, 0.5]]},
            r"table of 'b' must have shape \(2, 2\)",
        ),
        (
            [("a", "b")],
            {"a": [0.5, 0.5], "b": [[0.5, 0.5], [0.5, 0.4]]},
            "column of 'b' given parent 0=1 must sum to 1, got 0.9",
        ),
        ([("a", "b"), ("a", "b")], None, r"edges must differ, got \('a', 'b'\) twice"),
        ([("a", "b", "c")], None, "edges must be pairs"),
        (["ab"], None, "edges must be pairs"),
        (
            [("a", "b")],
            {"a": [1.0], "b": TableCPD([[1.0]], parents=["z"])},
            "parents of 'b' must be 'a', got 'z'",
        ),
        ([], {"a": TableCPD([[1.0]], parents=["b"])}, "must be joined to it by edges"),
        (
            [("x", "b")],
            {"x": LinearGaussianCPD(), "b": [[0.5, 0.5]]},
            "parents of the discrete node 'b' must be discrete, got 'x'",
        ),
        (
            [(f"c{i}", "y") for i in range(40)],
            {**{f"c{i}": [0.5, 0.5] for i in range(40)}, "y": [0.5, 0.5]},
            r"got 2199023255552 \(40 parents\)",
        ),
    ],
)
def test_refusals(edges, cpds, message):
    with pytest.raises(ValueError, match=f"BayesianNetwork: .*{message}"):
        BayesianNetwork.from_edges(edges, cpds)


def test_states_and_tables_must_agree():
    with pytest.raises(ValueError, match="table of 'a' must have 3 states, got 2"):
        BayesianNetwork.from_edges([], {"a": [0.5, 0.5]}, {"a": ["x", "y", "z"]})


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
