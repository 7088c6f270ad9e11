"""Moments of continuous nodes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD, LinearGaussianCPD
from margin.graphical.engines._gaussian_joint import gaussian_joint


def linear_network(seed=0, n=5):
    rng = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(n)]
    W = np.tril(rng.normal(size=(n, n)), -1) * (rng.random((n, n)) < 0.7)
    b, s = rng.normal(size=n), rng.random(n) + 0.5
    edges = [(names[j], names[i]) for i in range(n) for j in range(i) if W[i, j]]
    cpds = {
        names[i]: LinearGaussianCPD(b[i], [W[i, j] for j in range(i) if W[i, j]], s[i])
        for i in range(n)
    }
    A = np.linalg.inv(np.eye(n) - W)
    return BayesianNetwork.from_edges(edges, cpds), names, A @ b, A @ np.diag(s) @ A.T


@pytest.mark.parametrize("seed", range(4))
def test_linear_network_is_one_normal(seed):
    """graphical.20: x = (I - W)^-1 (b + noise)."""
    network, names, mean, covariance = linear_network(seed)
    joint = gaussian_joint(network._model)
    order = [joint.index[name] for name in names]
    assert_allclose(joint.mean[0, order], mean, rtol=1e-10)
    assert_allclose(joint.covariance[0][np.ix_(order, order)], covariance, atol=1e-10)


def test_density_and_condition():
    network, names, mean, covariance = linear_network()
    joint = gaussian_joint(network._model)
    order = np.array([joint.index[name] for name in names])
    x = np.random.default_rng(1).normal(size=(3, 2))
    marginal = multivariate_normal(mean[:2], covariance[:2, :2])
    assert_allclose(joint.log_density(order[:2], x)[:, 0], marginal.logpdf(x), rtol=1e-10)
    found, spread = joint.condition(order[:2], x, order[2:])
    gain = covariance[2:, :2] @ np.linalg.inv(covariance[:2, :2])
    assert_allclose(found[:, 0], mean[2:] + (x - mean[:2]) @ gain.T, rtol=1e-9)
    assert_allclose(spread[0], covariance[2:, 2:] - gain @ covariance[:2, 2:], atol=1e-10)


def test_one_normal_per_configuration():
    cpds = {
        "d": [0.5, 0.5],
        "e": [0.2, 0.3, 0.5],
        "x": ConditionalGaussianCPD([0.0, 1.0]),
        "y": ConditionalGaussianCPD([0.0, 1.0, 2.0], coef=[[1.0], [2.0], [3.0]], variance=0.5),
    }
    network = BayesianNetwork.from_edges([("d", "x"), ("e", "y"), ("x", "y")], cpds)
    joint = gaussian_joint(network._model)
    assert joint.switches == ("d", "e")
    assert joint.mean.shape == (6, 2)
    assert_allclose(joint.mean[4], [1.0, 1.0 + 2.0])  # d = 1, e = 1
    assert_allclose(joint.covariance[4], [[1, 2], [2, 4.5]])


def test_observed_nodes_need_a_density():
    cpds = {"x": LinearGaussianCPD(0.0), "y": LinearGaussianCPD(0.0, [1.0], variance=0.0)}
    network = BayesianNetwork.from_edges([("x", "y")], cpds)
    with pytest.raises(ValueError, match="singular covariance of x, y"):
        network.log_prob({"x": 1.0, "y": 1.0})
    assert_allclose(network.query("x", {"y": 2.0}).mean, [2.0])


def test_too_many_configurations_are_refused():
    names = [f"d{i}" for i in range(27)]
    shape = (2,) * 27
    zero = np.zeros(())
    cpds = {n: [0.5, 0.5] for n in names}
    cpds["x"] = ConditionalGaussianCPD(zero, variance=zero + 1)
    network = BayesianNetwork.from_edges([(n, "x") for n in names], cpds)
    with pytest.raises(ValueError, match=f"got {2 ** len(shape)}"):
        network.query("x")
