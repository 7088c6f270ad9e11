"""Exact answers with continuous nodes, against fine grids."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp
from scipy.stats import norm

from margin.graphical import (
    BayesianNetwork,
    ConditionalGaussianCPD,
    LinearGaussianCPD,
    Soft,
    Virtual,
)

CPDS = {
    "a": [0.3, 0.7],
    "b": [[0.9, 0.1], [0.4, 0.6]],
    "x": ConditionalGaussianCPD([0.0, 2.0], variance=[1.0, 0.5]),
    "y": ConditionalGaussianCPD([1.0, -1.0], coef=[[0.5], [2.0]], variance=[0.3, 0.8]),
    "z": LinearGaussianCPD(0.2, [1.5], 0.4),
}
EDGES = [("a", "b"), ("a", "x"), ("b", "y"), ("x", "y"), ("y", "z")]
NET = BayesianNetwork.from_edges(EDGES, CPDS)


def log_joint(a, b, x, y, z):
    cx, cy = CPDS["x"], CPDS["y"]
    return (
        np.log(CPDS["a"][a] * CPDS["b"][a][b])
        + norm.logpdf(x, cx.intercept[a], np.sqrt(cx.variance[a]))
        + norm.logpdf(y, cy.intercept[b] + cy.coef[b, 0] * x, np.sqrt(cy.variance[b]))
        + norm.logpdf(z, 0.2 + 1.5 * y, np.sqrt(0.4))
    )


def test_density_of_complete_rows():
    frame = NET.sample(10, random_state=0)
    expected = [log_joint(int(r.a), int(r.b), r.x, r.y, r.z) for r in frame.itertuples()]
    assert_allclose(NET.log_prob(frame), expected, rtol=1e-10)
    assert_allclose(NET.log_prob(frame.iloc[0].to_dict()), expected[0], rtol=1e-10)


def test_posteriors_by_numerical_integration():
    grid = np.linspace(-9, 11, 401)
    step = grid[1] - grid[0]
    X, Y = np.meshgrid(grid, grid, indexing="ij")
    z = 1.3
    logs = np.array([[log_joint(a, b, X, Y, z) for b in range(2)] for a in range(2)])
    total = logsumexp(logs)
    p = np.exp(logs - total)
    evidence = {"z": z}
    assert_allclose(NET.query("a", evidence).values, p.sum(axis=(1, 2, 3)), atol=1e-8)
    assert_allclose(NET.query(["b", "a"], evidence).values, p.sum(axis=(2, 3)).T, atol=1e-8)
    found = NET.query(["x", "y"], evidence)
    assert_allclose(found.mean, [(p * X).sum(), (p * Y).sum()], atol=1e-7)
    second = (p * X * Y).sum() - (p * X).sum() * (p * Y).sum()
    assert_allclose(found.covariance[0, 1], second, atol=1e-6)
    assert_allclose(NET.log_prob(evidence), total + 2 * np.log(step), atol=1e-8)


def test_rows_equal_single_queries():
    frame = NET.sample(12, random_state=1).drop(columns="b")
    frame.loc[::3, "z"] = np.nan
    frame.loc[1, "a"] = np.nan
    discrete, continuous = NET.query("b", frame), NET.query(["y"], frame.drop(columns="y"))
    scores = NET.log_prob(frame)
    for at, row in enumerate(frame.to_dict("records")):
        assert_allclose(discrete.values[at], NET.query("b", row).values, rtol=1e-10)
        assert_allclose(scores[at], NET.log_prob(row), rtol=1e-10)
        del row["y"]
        assert_allclose(continuous.mean[at], NET.query(["y"], row).mean, rtol=1e-10)


def test_linear_gaussian_network_answers_with_one_normal():
    cpds = {"x": LinearGaussianCPD(1.0, variance=4.0), "y": LinearGaussianCPD(0.0, [2.0], 1.0)}
    network = BayesianNetwork.from_edges([("x", "y")], cpds)
    found = network.query("x", {"y": 3.0})
    assert_allclose(found.mean, [1 + 8 / 17 * (3 - 2)])
    assert_allclose(found.var, [4 - 64 / 17])
    assert found.distribution().dim == 1
    frame = pd.DataFrame({"y": [3.0, np.nan]})
    assert_allclose(network.query("x", frame).mean[:, 0], [1 + 8 / 17, 1.0])
    marginals = network.marginals({"y": 3.0})
    assert list(marginals) == ["x", "y"]
    assert_allclose(marginals["x"].mean, [1 + 8 / 17 * (3 - 2)])
    assert_allclose(marginals["x"].var, [4 - 64 / 17])
    assert (marginals["y"].mean[0], marginals["y"].var[0]) == (3.0, 0.0)


@pytest.mark.parametrize("library", [pd, pl])
def test_frames_of_both_libraries(library):
    only = library.DataFrame({"z": [1.3, 0.0]})
    both = library.DataFrame({"z": [1.3, 0.0], "b": [1, 0]})
    assert_allclose(NET.query("a", only).values[0], NET.query("a", {"z": 1.3}).values)
    assert_allclose(NET.query("a", both).values[1], NET.query("a", {"z": 0.0, "b": 0}).values)


def test_marginals_of_both_kinds():
    found = NET.marginals({"a": 1})
    assert_allclose(found["b"], [0.4, 0.6])
    assert_allclose(found["x"].mean, [2.0])


@pytest.mark.parametrize("value", np.linspace(-3, 3, 7) + 0.1)
def test_an_observed_node_has_its_value_and_no_variance(value):
    """Exactly, in every mixture: differences left rounding, below zero as often as above."""
    answer = NET.marginals({"x": value})["x"]
    assert (answer.mean[0], answer.var[0]) == (value, 0.0)
    assert answer.to_frame().loc["x", "sd"] == 0.0
    both = NET.query(["z", "x"], pd.DataFrame({"x": [value, np.nan], "y": [np.nan, 1.0]}))
    assert_allclose(both.covariance[0, 1], [0.0, 0.0], atol=0)
    assert both.covariance[1, 1, 1] > 0
    assert both["x"].mean[0] == value
    mixed = NET.query(["a", "x"], {"x": value, "z": 1.0})
    assert (mixed.conditional.mean[:, 0] == value).all()
    assert (mixed.conditional.covariance == 0).all()


def test_draws_given_evidence():
    frame = NET.sample(20_000, {"z": 1.3}, random_state=0)
    assert set(frame["z"]) == {1.3}
    assert_allclose(np.mean(frame["b"]), NET.query("b", {"z": 1.3}).values[1], atol=0.02)
    exact = NET.query(["x", "y"], {"z": 1.3})
    assert_allclose(frame[["x", "y"]].mean(), exact.mean, atol=0.03)
    assert_allclose(np.cov(frame[["x", "y"]].T), exact.covariance, atol=0.05)


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        ("q", {}, "targets must be nodes, got 'q'"),
        (None, {}, "targets must be variables to ask for"),
        ("a", {"kind": "mpe"}, "kind must be 'marginal', .* with continuous nodes, got 'mpe'"),
        ("x", {"kind": "map"}, "kind 'map' must ask for discrete targets"),
        ("a", {"evidence": {"x": "much"}}, "evidence on 'x' must be a number"),
        ("a", {"evidence": {"x": np.inf}}, "evidence on 'x' must be finite"),
        ("a", {"evidence": 3}, "evidence must be None, a mapping or a data frame"),
    ],
)
def test_refusals(targets, options, message):
    with pytest.raises(ValueError, match=f"BayesianNetwork: .*{message}"):
        NET.query(targets, **options)


def test_interventions_and_assignments():
    forced = NET.query("a", {"y": 0.5}, do={"b": 1})
    seen = NET.query("a", {"y": 0.5, "b": 1})
    assert forced.values[0] > seen.values[0]  # b no longer speaks for a = 1
    assert_allclose(NET.query("a", do={"y": 3.0}).values, CPDS["a"])
    assert_allclose(NET.query("z", do={"y": 3.0}).mean, [0.2 + 4.5])
    assert_allclose(NET.marginals(do={"b": 1})["b"], [0, 1])
    table = NET.query(["a", "b"], {"z": 1.3}).values
    best = NET.map_query(["a", "b"], {"z": 1.3})
    assert table[best["a"], best["b"]] == table.max()


def test_formats_are_for_discrete_networks():
    with pytest.raises(ValueError, match="nodes must be discrete for to_bif"):
        NET.to_bif()
    with pytest.raises(ValueError, match="one row to sample, got 2"):
        NET.sample(1, pd.DataFrame({"z": [1.0, 2.0]}))


def cut(do):
    """The network after an intervention, built by hand: no arrows into the node."""
    cpds, edges = dict(CPDS), [e for e in EDGES if e[1] not in do]
    for name, value in do.items():
        if name in "ab":
            cpds[name] = np.eye(2)[value]
        else:
            cpds[name] = LinearGaussianCPD(value, variance=1e-12)
    return BayesianNetwork.from_edges(edges, cpds)


@pytest.mark.parametrize(
    ("do", "evidence"),
    [
        ({"b": 1}, {"z": 1.3}),
        ({"b": 1}, {"z": 1.3, "a": 0}),
        ({"b": 0}, {"y": 0.5, "a": Soft([0.8, 0.2])}),
        ({"b": 1}, {"z": 0.4, "a": Virtual([1.0, 5.0])}),
        ({"y": 3.0}, {"a": 1}),
        ({"x": 1.0}, {"z": 1.3}),
        ({"x": 1.0, "b": 0}, {"z": 1.3}),
        ({"a": 1, "y": -1.0}, {"x": 0.2}),
    ],
    ids=str,
)
def test_draws_given_evidence_after_an_intervention(do, evidence):
    """Evidence and do together, hard and soft, on nodes of both kinds: draws used to ignore do."""
    network = cut(do)
    frame = NET.sample(12_000, evidence, do=do, random_state=0)
    for name, value in do.items():
        assert set(frame[name]) == {value}
    for name in ("a", "b"):
        exact = network.query(name, evidence).values
        assert_allclose(NET.query(name, evidence, do=do).values, exact, atol=1e-6)
        assert_allclose(np.mean(frame[name]), exact[1], atol=0.02)
    for name in ("x", "y", "z"):
        if name in evidence:
            assert_allclose(frame[name], evidence[name])
            continue
        exact = network.query([name], evidence)
        answer = NET.query([name], evidence, do=do)
        assert_allclose(answer.mean, exact.mean, atol=1e-5)
        assert_allclose(frame[name].mean(), exact.mean[0], atol=0.05)
        assert_allclose(frame[name].std(), np.sqrt(exact.var[0]), atol=0.05)


def test_an_intervention_changes_draws_given_evidence():
    seen = NET.sample(4000, {"z": 1.3}, random_state=0)
    forced = NET.sample(4000, {"z": 1.3}, do={"b": 1}, random_state=0)
    assert 0 < seen["b"].mean() < 1
    assert forced["b"].eq(1).all()


def test_draws_by_the_query_verb_for_rows():
    rows = pd.DataFrame({"z": [1.3, -2.0]})
    drawn = NET.query(["b", "y"], rows, kind="sample", n_samples=6000, random_state=0)
    assert drawn.values.shape == (2, 6000, 2)
    for at, row in enumerate(rows.to_dict("records")):
        exact = NET.query("b", row).values[1]
        assert_allclose(np.mean(drawn.values[at, :, 0] == 1), exact, atol=0.02)
        mean = NET.query("y", row).mean
        assert_allclose(np.mean(drawn.values[at, :, 1].astype(float)), mean, atol=0.05)
    whole = NET.query(None, {"z": 1.3}, kind="sample", n_samples=3, random_state=0)
    assert whole.variables == ("a", "b", "x", "y", "z")
