"""The Bernoulli distribution (distributions.03)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Bernoulli
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Bernoulli(0.3), Bernoulli([0.01, 0.9])]

    def support(self, distribution):
        return np.array([0.0, 1.0])


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [Bernoulli(0.3), Bernoulli([0.2, 0.9])]


def test_against_scipy(agrees, divergence):
    """distributions.03."""
    for p in (0.2, 0.5, 0.9):
        agrees(Bernoulli(p), stats.bernoulli(p), [0.0, 1.0])
    divergence(Bernoulli(0.2), Bernoulli(0.7), [0.0, 1.0])
    assert Bernoulli(0.5).kl(Bernoulli(0.0)) == np.inf
    assert Bernoulli(0.0).entropy == 0.0


def test_certain_outcomes():
    sure = Bernoulli([0.0, 1.0])
    assert_allclose(sure.log_prob([0.0, 1.0]), 0.0)
    assert_allclose(sure.log_prob([1.0, 0.5]), -np.inf)
    assert np.isnan(sure.skewness).all()
    assert Bernoulli.fit([1.0, 1.0]).probability == 1.0


def test_refusals():
    with pytest.raises(ValueError, match=r"probability must be between 0 and 1, got 1\.5"):
        Bernoulli(1.5)
    with pytest.raises(ValueError, match=r"Bernoulli: X must be 0, 1 or NaN, got 2\.0"):
        Bernoulli.fit([2.0])
