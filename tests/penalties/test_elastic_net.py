"""Elastic-net penalty (penalties.03)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.penalties import L1, L2, ElasticNet
from margin.testing import PenaltyContract


class TestElasticNetContract(PenaltyContract):
    def make(self):
        return [ElasticNet(0.0), ElasticNet(), ElasticNet(0.3, 0.2), ElasticNet(2.0, 0.9)]


def test_golden_numbers():
    """penalties.03: alpha (rho |w|_1 + (1 - rho) / 2 |w|^2)."""
    w = np.array([1.0, -3.0, 0.0])
    assert ElasticNet(2.0, 0.25).value(w) == 2.0 * (0.25 * 4.0 + 0.75 / 2 * 10.0)
    assert_allclose(ElasticNet(2.0, 0.25).gradient(w), [2.0, -5.0, 0.0])
    assert ElasticNet(2.0, 0.25).l1 == 0.5
    assert ElasticNet(2.0, 0.25).l2 == 1.5


def test_ends_are_lasso_and_ridge():
    """penalties.03: l1_ratio 1 is the L1, 0 the L2 penalty of the same strength."""
    w, slope = np.random.default_rng(0).normal(size=(2, 50))
    w[::3] = 0.0
    for alpha in (0.2, 3.0):
        for end, other in (
            (ElasticNet(alpha, 1.0), L1(alpha)),
            (ElasticNet(alpha, 0.0), L2(alpha)),
        ):
            assert_allclose(end.value(w), other.value(w), rtol=1e-14)
            assert_allclose(end.prox(w, 0.7), other.prox(w, 0.7), rtol=1e-14)
            assert_array_equal(end.least_subgradient(w, slope), other.least_subgradient(w, slope))
            assert_array_equal(end.curvature(w), other.curvature(w))


@pytest.mark.parametrize("w", [-2.5, -0.3, 0.0, 0.31, 1.7])
@pytest.mark.parametrize("step", [0.1, 1.0, 4.0])
def test_prox_against_a_grid(w, step):
    """penalties.03: no point of a fine grid is better."""
    penalty = ElasticNet(0.8, 0.6)
    grid = np.arange(-40000, 40001) / 1e4
    envelope = penalty.l1 * np.abs(grid) + penalty.l2 / 2 * grid**2 + (grid - w) ** 2 / (2 * step)
    found = penalty.prox(np.array([w]), step)[0]
    assert abs(found - grid[np.argmin(envelope)]) <= 1e-4


@pytest.mark.parametrize("bad", [{"alpha": -1.0}, {"l1_ratio": 1.5}, {"l1_ratio": -0.1}])
def test_refuses_what_is_no_penalty(bad):
    (name,) = bad
    with pytest.raises(ValueError, match=f"ElasticNet: {name} must be"):
        ElasticNet(**bad)
