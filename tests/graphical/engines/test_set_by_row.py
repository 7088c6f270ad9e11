"""Interventions by rows, against one intervention after the other."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose

from margin.graphical import (
    BayesianNetwork,
    ConditionalGaussianCPD,
    LinearGaussianCPD,
    MarkovNetwork,
    Soft,
)

DISCRETE = BayesianNetwork.from_edges(
    [("burglary", "alarm"), ("earthquake", "alarm"), ("alarm", "call")],
    {
        "burglary": [0.99, 0.01],
        "earthquake": [0.98, 0.02],
        "alarm": [[[0.999, 0.001], [0.7, 0.3]], [[0.1, 0.9], [0.05, 0.95]]],
        "call": [[0.95, 0.05], [0.2, 0.8]],
    },
    states={n: ["no", "yes"] for n in ("burglary", "earthquake", "alarm", "call")},
)
MIXED = BayesianNetwork.from_edges(
    [("a", "b"), ("a", "x"), ("b", "y"), ("x", "y"), ("y", "z")],
    {
        "a": [0.3, 0.7],
        "b": [[0.9, 0.1], [0.4, 0.6]],
        "x": ConditionalGaussianCPD([0.0, 2.0], variance=[1.0, 0.5]),
        "y": ConditionalGaussianCPD([1.0, -1.0], coef=[[0.5], [2.0]], variance=[0.3, 0.8]),
        "z": LinearGaussianCPD(0.2, [1.5], 0.4),
    },
)
NORMAL = BayesianNetwork.from_edges(
    [("x", "y"), ("x", "z"), ("y", "z")],
    {
        "x": LinearGaussianCPD(1.0, variance=4.0),
        "y": LinearGaussianCPD(0.5, [2.0], 1.0),
        "z": LinearGaussianCPD(0.0, [1.0, -1.0], 0.5),
    },
)


@pytest.mark.parametrize("library", [pd, pl])
@pytest.mark.parametrize("kind", ["marginal", "map", "mpe"])
@pytest.mark.parametrize("evidence", [None, {"call": "yes"}, "rows"])
def test_rows_of_discrete_nodes_equal_single_interventions(library, kind, evidence):
    do = {"alarm": ["yes", "no", "yes"], "earthquake": ["no", "no", "yes"]}
    rows = [{"call": "yes"}, {"call": None}, {"call": "no"}]
    given = pd.DataFrame(rows) if evidence == "rows" else evidence
    targets = ["call"] if given is None else ["burglary"]
    answer = DISCRETE.query(targets, given, do=library.DataFrame(do), kind=kind)
    assert answer.batched
    for at in range(3):
        seen = rows[at] if evidence == "rows" else evidence
        one = DISCRETE.query(targets, seen, do={n: c[at] for n, c in do.items()}, kind=kind)
        if kind == "marginal":
            assert_allclose(answer.values[at], one.values, rtol=1e-12)
        else:
            assert answer.values[at].tolist() == one.values.tolist()


def test_the_question_of_the_first_row():
    answer = DISCRETE.query(["alarm"], do=pd.DataFrame({"burglary": ["yes", "no"]}))
    assert_allclose(answer.values[:, 1], [0.98 * 0.9 + 0.02 * 0.95, 0.98 * 0.001 + 0.02 * 0.3])
    listed = DISCRETE.query(["alarm"], do=[{"burglary": "yes"}, {"burglary": "no"}])
    assert_allclose(listed.values, answer.values)


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_rows_of_both_kinds_equal_single_interventions(far):
    do = pd.DataFrame({"b": [0, 1, 1], "y": [0.5 + far, -1.0 + far, 2.0 + far]})
    seen = {"x": 0.3, "a": Soft([0.2, 0.8])}
    answer, table = MIXED.query(["z"], seen, do=do), MIXED.query(["b", "a"], {"x": 0.3}, do=do)
    mixed = MIXED.query(["a", "z"], {"x": 0.3}, do=do)
    every = MIXED.marginals({"x": 0.3}, do=do)
    for at, row in enumerate(do.to_dict("records")):
        one = MIXED.query(["z"], seen, do=row)
        assert_allclose(answer.mean[at], one.mean, rtol=1e-12)
        assert_allclose(answer.var[at], one.var, rtol=1e-8)
        assert_allclose(table.values[at], MIXED.query(["b", "a"], {"x": 0.3}, do=row).values)
        whole = MIXED.query(["a", "z"], {"x": 0.3}, do=row)
        assert_allclose(mixed.values[at], whole.values)
        assert_allclose(every["a"][at], whole.values)
        assert (every["y"].mean[at, 0], every["y"].var[at, 0]) == (row["y"], 0.0)


def test_rows_of_a_normal_equal_single_interventions():
    do, seen = pd.DataFrame({"y": [2.0, -30.0]}), pd.DataFrame({"z": [1.0, np.nan]})
    answer = NORMAL.query(["x", "z"], seen, do=do)
    assert_allclose(answer.mean[0], NORMAL.query(["x", "z"], {"z": 1.0}, do={"y": 2.0}).mean)
    assert_allclose(answer.mean[1], NORMAL.query(["x", "z"], do={"y": -30.0}).mean)
    assert_allclose(answer.covariance[1], NORMAL.query(["x", "z"], do={"y": -30.0}).covariance)
    assert NORMAL.query("x", do=do.iloc[:0]).mean.shape == (0, 1)
    assert list(NORMAL.map_query(["x"], do=do)["x"]) == [1.0, 1.0]


def test_draws_after_an_intervention_of_one_row():
    frame = MIXED.sample(4000, do=pd.DataFrame({"y": [3.0]}), random_state=0)
    assert set(frame["y"]) == {3.0}
    assert_allclose(frame["z"].mean(), 0.2 + 4.5, atol=0.04)
    assert_allclose(frame["a"].mean(), 0.7, atol=0.03)


@pytest.mark.parametrize(
    ("network", "do", "evidence", "message"),
    [
        (DISCRETE, {"thief": ["yes"]}, None, "do must name nodes, .* got 'thief'"),
        (DISCRETE, {"alarm": ["yes", None]}, None, "do must give 'alarm' a state in every row"),
        (DISCRETE, {"alarm": ["loud"]}, None, "state of 'alarm' must be one of 'no', 'yes'"),
        (MIXED, {"y": [1.0, np.nan]}, None, "do must give 'y' a finite number, got nan"),
        (MIXED, {"y": ["q"]}, None, "do must give 'y' a finite number, got 'q'"),
        (MIXED, {"y": [1.0]}, pd.DataFrame({"x": [0.0, 1.0]}), ".* as many rows, got 2 and 1"),
        (MIXED, {"y": [1.0]}, {"y": 2.0}, "evidence on 'y' must be what do sets it to"),
        (DISCRETE, {"call": ["no"]}, {"call": "yes"}, "evidence on 'call' must be what do sets"),
    ],
)
def test_refusals(network, do, evidence, message):
    target = "burglary" if network is DISCRETE else "a"
    with pytest.raises(ValueError, match=f"BayesianNetwork: {message}"):
        network.query(target, evidence, do=pd.DataFrame(do))


def test_shapes_of_an_intervention():
    with pytest.raises(ValueError, match="rows of do must set the same nodes"):
        DISCRETE.query("call", do=[{"alarm": "yes"}, {"burglary": "yes"}])
    with pytest.raises(ValueError, match=r"do must be a mapping, a data frame or .* got str"):
        DISCRETE.query("call", do="alarm")
    with pytest.raises(ValueError, match="columns of do must differ"):
        DISCRETE.query("call", do=pd.DataFrame([["yes", "no"]], columns=["alarm", "alarm"]))
    chain = MarkovNetwork([(("a", "b"), np.ones((2, 2)))])
    with pytest.raises(ValueError, match="do must be empty: the model has no arrows"):
        chain.query("a", do=pd.DataFrame({"b": [1]}))
