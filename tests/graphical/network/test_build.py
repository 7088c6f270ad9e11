"""Networks from what a user gives, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, LinearGaussianCPD, TableCPD
from margin.graphical.network._build import build


def test_order_of_parents_can_be_given():
    table = np.random.default_rng(0).dirichlet(np.ones(2), size=(3, 2))
    cpds = {"a": [0.5, 0.5], "b": [0.2, 0.3, 0.5], "c": TableCPD(table, parents=["b", "a"])}
    network = build("Net", [("a", "c"), ("b", "c")], cpds)
    assert network.parents["c"] == ("b", "a")
    assert_allclose(network.table("c"), table)


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
            "column of 'b' given a=1 must sum to 1, got 0.9",
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


def test_a_wrong_column_is_named_by_its_parents():
    table = [[0.5, 0.5], [0.4, 0.5]]
    states = {"a": ["no", "yes"], "b": ["no", "yes"]}
    with pytest.raises(ValueError, match=r"column of 'b' given a='yes' must sum to 1, got 0.9"):
        build("Net", [("a", "b")], {"a": [0.5, 0.5], "b": table}, states)
    with pytest.raises(ValueError, match=r"column of 'b' given a=1 must sum to 1, got 0.9"):
        build("Net", [("a", "b")], {"a": [0.5, 0.5], "b": table})
    with pytest.raises(ValueError, match=r"column of 'b' given a=1 must sum to 1"):
        build("Net", [("a", "b")], {"a": [0.5, 0.5], "b": table}, {"a": ["no", "yes", "perhaps"]})
