"""Misclassifications of unequal price (losses.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import CostMatrix
from margin.testing import LossContract


class TestCostMatrixContract(LossContract):
    def make(self):
        return [CostMatrix.symmetric(3), CostMatrix([[0, 1, 5], [2, 0, 1], [9, 9, 0]])]


def test_price_of_the_largest_score():
    """losses.04: rows are true classes, columns decisions."""
    price = CostMatrix([[0, 1], [10, 0]])
    z = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    assert price.value(z, np.array([0, 0, 1, 1])).tolist() == [0, 1, 10, 0]


def test_decision_has_the_least_expected_price_of_all():
    """losses.04: brute force over decisions, for random prices and probabilities."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        costs, p = rng.random((4, 3)), rng.dirichlet(np.ones(4))
        expected = [sum(p[y] * costs[y, d] for y in range(4)) for d in range(3)]
        price = CostMatrix(costs)
        assert price.decide(p[None])[0] == np.argmin(expected)
        assert_allclose(price.risk(p[None])[0], expected)


def test_equal_prices_decide_for_the_mode():
    """losses.04: with one price for every error the risk is one minus the posterior."""
    p = np.random.default_rng(1).dirichlet(np.ones(5), size=100)
    price = CostMatrix.symmetric(5)
    assert (price.decide(p) == p.argmax(axis=1)).all()
    assert_allclose(price.risk(p), 1 - p)


def test_threshold_of_two_classes():
    """losses.04: act when p / (1 - p) exceeds the ratio of the prices."""
    price = CostMatrix([[0, 1], [4, 0]])
    p = np.array([0.19, 0.21])
    assert price.decide(np.column_stack([1 - p, p])).tolist() == [0, 1]


@pytest.mark.parametrize("costs", [[[0, -1], [1, 0]], [1, 2], [[np.nan]]])
def test_bad_prices_are_refused(costs):
    with pytest.raises(ValueError, match="CostMatrix: costs must be a matrix of finite numbers"):
        CostMatrix(costs)
