"""Logistic and softmax conditional distributions (graphical.10)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax

from margin.graphical import BayesianNetwork, LogisticCPD, SoftmaxCPD


def test_logistic_by_the_formula():
    """graphical.10: n weights for 2^n columns."""
    w, b = np.array([1.5, -2.0, 0.3]), -0.4
    cpd = LogisticCPD(w, b)
    table = cpd.table("t", 2, [2, 2, 2])
    for u in product(range(2), repeat=3):
        assert_allclose(table[u][1], 1 / (1 + np.exp(-(w @ u + b))), rtol=1e-14)
    assert_allclose(table.sum(axis=-1), 1)
    assert cpd.n_parameters(2, [2] * 3) == 4
    assert table[..., 0].size == 2**3


def test_extreme_weights_do_not_overflow():
    table = LogisticCPD([1e4], -5e3).table("t", 2, [2])
    assert_allclose(table, [[1, 0], [0, 1]], atol=1e-300)


def test_softmax_by_the_formula():
    """graphical.10"""
    rng = np.random.default_rng(0)
    coef, b = rng.normal(size=(3, 5)), rng.normal(size=3)
    table = SoftmaxCPD(coef, b).table("t", 3, [2, 3])
    for i, j in product(range(2), range(3)):
        assert_allclose(table[i, j], softmax(b + coef[:, i] + coef[:, 2 + j]), rtol=1e-13)


def test_softmax_with_two_states_is_logistic():
    two = SoftmaxCPD([[0.0, 0.0, 0.0, 0.0], [0.0, 1.5, 0.0, -2.0]], [0.0, 0.7])
    assert_allclose(two.table("t", 2, [2, 2]), LogisticCPD([1.5, -2.0], 0.7).table("t", 2, [2, 2]))
    assert two.n_parameters(2, [2, 2]) == LogisticCPD([1.5, -2.0]).n_parameters(2, [2, 2])


def test_node_without_parents():
    assert_allclose(LogisticCPD([], 0.0).table("t", 2, []), [0.5, 0.5])
    assert_allclose(SoftmaxCPD(np.zeros((3, 0))).table("t", 3, []), np.full(3, 1 / 3))


def test_in_a_network():
    cpds = {"a": [0.5, 0.5], "b": [0.2, 0.3, 0.5], "y": LogisticCPD([1.0, -1.0])}
    network = BayesianNetwork.from_edges([("a", "y"), ("b", "y")], cpds)
    expected = sum(
        0.5 * pb / (1 + np.exp(-(a - b))) for a in range(2) for b, pb in enumerate([0.2, 0.3, 0.5])
    )
    assert_allclose(network.marginals()["y"][1], expected, rtol=1e-13)


def test_refusals():
    with pytest.raises(ValueError, match="finite, got NaN or infinity"):
        LogisticCPD([np.inf])
    with pytest.raises(ValueError, match="must have two states, got 3"):
        LogisticCPD([1.0]).table("t", 3, [2])
    with pytest.raises(ValueError, match="must have 1 parents, got 2"):
        LogisticCPD([1.0]).table("t", 2, [2, 2])
    with pytest.raises(ValueError, match="coef must be two-dimensional"):
        SoftmaxCPD([1.0])
    with pytest.raises(ValueError, match=r"intercept must have shape \(2,\)"):
        SoftmaxCPD(np.zeros((2, 2)), [0.0])
    with pytest.raises(ValueError, match=r"coef of shape \(2, 3\), got \(2, 2\)"):
        SoftmaxCPD(np.zeros((2, 2))).table("t", 2, [3])
    with pytest.raises(ValueError, match="40 parents"):
        LogisticCPD([0.1] * 40).table("t", 2, [2] * 40)
