"""Discrete and continuous targets together, against fine grids."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp
from scipy.stats import norm

from margin.graphical import (
    BayesianNetwork,
    ConditionalGaussianCPD,
    LinearGaussianCPD,
    MixedResult,
    Soft,
    Virtual,
)

P_A, P_B, P_C = np.array([0.3, 0.7]), np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0.2, 0.3, 0.5])
X = ConditionalGaussianCPD([0.0, 2.0], variance=[1.0, 0.5])
Y = ConditionalGaussianCPD([1.0, -1.0], coef=[[0.5], [2.0]], variance=[0.3, 0.8])
NET = BayesianNetwork.from_edges(
    [("a", "b"), ("a", "x"), ("b", "y"), ("x", "y"), ("y", "z")],
    {"a": P_A, "b": P_B, "c": P_C, "x": X, "y": Y, "z": LinearGaussianCPD(0.2, [1.5], 0.4)},
    {"a": ["no", "yes"], "c": ["r", "g", "b"]},
)
GRID = np.linspace(-9, 11, 401)


def grid_posterior(z):
    """p(a, b, x, y | z) on a grid."""
    x, y = np.meshgrid(GRID, GRID, indexing="ij")
    logs = np.array(
        [
            [
                np.log(P_A[a] * P_B[a, b])
                + norm.logpdf(x, X.intercept[a], np.sqrt(X.variance[a]))
                + norm.logpdf(y, Y.intercept[b] + Y.coef[b, 0] * x, np.sqrt(Y.variance[b]))
                + norm.logpdf(z, 0.2 + 1.5 * y, np.sqrt(0.4))
                for b in range(2)
            ]
            for a in range(2)
        ]
    )
    return np.exp(logs - logsumexp(logs)), x, y


def test_table_and_conditional_moments_by_integration():
    """Weights and moments per configuration, with another parent summed out."""
    p, x, y = grid_posterior(1.3)
    found = NET.query(["x", "a", "y"], {"z": 1.3})
    assert isinstance(found, MixedResult)
    assert (found.discrete, found.continuous) == (("a",), ("x", "y"))
    given_a = p.sum(axis=1)
    assert_allclose(found.values, given_a.sum(axis=(1, 2)), atol=1e-8)
    share = given_a / given_a.sum(axis=(1, 2), keepdims=True)
    mean = np.stack([(share * x).sum(axis=(1, 2)), (share * y).sum(axis=(1, 2))], axis=1)
    moments = found.conditional
    assert_allclose(moments.mean, mean, atol=1e-7)
    cross = (share * x * y).sum(axis=(1, 2)) - mean[:, 0] * mean[:, 1]
    assert_allclose(moments.covariance[:, 0, 1], cross, atol=1e-6)
    spread = (share * x * x).sum(axis=(1, 2)) - mean[:, 0] ** 2
    assert_allclose(moments.covariance[:, 0, 0], spread, atol=1e-6)
    assert_allclose(found.given(a="yes").mean, mean[1], atol=1e-7)
    assert_allclose(found.given(a="yes").covariance[0, 1], cross[1], atol=1e-6)


def test_agrees_with_the_parts():
    evidence = {"z": -0.4, "c": Virtual([0.1, 0.9, 0.4])}
    found = NET.query(["b", "c", "y", "a"], evidence)
    alone = NET.query(["b", "c", "a"], evidence)
    assert_allclose(found.values, alone.values, rtol=1e-12)
    assert_allclose(found.table.probability(c="g"), alone.probability(c="g"), rtol=1e-12)
    y = NET.query("y", evidence)
    assert_allclose(found.marginal.mean, y.mean, rtol=1e-12)
    assert_allclose(found.marginal.var, y.var, rtol=1e-10)
    assert_allclose(found.marginal.log_prob([0.3]), y.log_prob([0.3]), rtol=1e-10)
    hard = NET.query("y", {**evidence, "b": 1})
    assert_allclose(found.given(b=1).mean, hard.mean, rtol=1e-10)
    assert found.conditional.mean.shape == (2, 3, 2, 1)


def test_rows_equal_single_queries():
    frame = pd.DataFrame({"z": [0.5, np.nan, 2.0], "a": ["no", None, "yes"]})
    found = NET.query(["b", "x"], frame)
    assert found.values.shape == (3, 2)
    assert len(found.to_frame()) == 6
    assert repr(found) == "MixedResult: 3 queries of b, x"
    for at, row in enumerate(frame.to_dict("records")):
        one = NET.query(["b", "x"], row)
        assert_allclose(found.values[at], one.values, rtol=1e-10)
        assert_allclose(found.conditional.mean[at], one.conditional.mean, rtol=1e-10)
        assert_allclose(found.conditional.covariance[at], one.conditional.covariance, rtol=1e-10)
    assert NET.query(["b", "x"], frame[:0]).conditional.mean.shape == (0, 2, 1)


def test_impossible_configurations_have_no_probability_and_no_nan():
    found = NET.query(["a", "x"], {"a": "yes"})
    assert_allclose(found.values, [0, 1])
    assert np.isfinite(found.conditional.mean).all()
    with pytest.raises(ValueError, match="states must be possible, got probability 0"):
        found.given(a="no")


def test_soft_evidence_beside_continuous_nodes():
    """inference.17: the soft variable ends with its distribution, the density counted first."""
    evidence = {"z": 1.3, "a": Soft([0.6, 0.4]), "b": Soft([0.5, 0.5])}
    found = NET.query(["a", "b", "x"], evidence)
    p, x, _ = grid_posterior(1.3)
    table = p.sum(axis=(2, 3))
    for _ in range(300):
        table = table * (np.array([0.6, 0.4]) / table.sum(axis=1))[:, None]
        table = table * (np.array([0.5, 0.5]) / table.sum(axis=0))
    assert_allclose(found.values, table, atol=1e-8)
    mean = (p * x).sum(axis=(2, 3)) / p.sum(axis=(2, 3))
    assert_allclose(found.conditional.mean[..., 0], mean, atol=1e-7)
    drawn = NET.sample(2000, evidence, random_state=0)
    assert_allclose((drawn["a"] == "yes").mean(), 0.4, atol=0.04)


def test_refusals():
    found = NET.query(["a", "x"])
    with pytest.raises(ValueError, match="must be a discrete target, got 'x'"):
        found.given(x=1.0)
    with pytest.raises(ValueError, match="state of 'a' must be one of"):
        found.given(a="perhaps")
    with pytest.raises(ValueError, match="kind 'map' must ask for discrete targets"):
        NET.query(["a", "x"], kind="map")
    with pytest.raises(ValueError, match="evidence must be possible, got a density of 0"):
        NET.query(["a", "x"], {"z": 1e200})
