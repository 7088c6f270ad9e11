"""The Laplace distribution (distributions.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Laplace
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Laplace(0.0, 2.0), Laplace([1.0, -4.0], [0.1, 3.0])]


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [Laplace(0.0, 2.0), Laplace([1.0, -4.0], [0.1, 3.0])]


def test_against_scipy(agrees, divergence):
    """distributions.08, distributions.15: excess kurtosis 3."""
    agrees(Laplace(1.0, 2.0), stats.laplace(1.0, 2.0), [-9.0, 0.9, 1.0, 4.0])
    divergence(Laplace(1.0, 0.5), Laplace(0.0, 2.0), np.linspace(-30, 30, 600_001))
    assert Laplace().kurtosis == 3.0


def test_weighted_median():
    """distributions.23: no point has a smaller weighted distance, by search over all values."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=31), rng.random(31)
    fit = Laplace.fit(Laplace.statistics(x, w))
    distance = np.abs(x[:, None] - x) @ w / w.sum()
    assert_allclose(fit.scale, distance.min())
    assert_allclose(Laplace.fit([1.0, 2.0, 4.0, 9.0]).loc, 3.0)
    with pytest.raises(ValueError, match="Laplace: data must be of two values"):
        Laplace.fit([1.0])
