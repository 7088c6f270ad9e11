"""The exponential distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Exponential, GammaExponential
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Exponential(0.5), Exponential([2.0, 30.0])]


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [Exponential(0.5), Exponential([2.0, 30.0])]


def test_against_scipy(agrees, divergence):
    agrees(Exponential(0.4), stats.expon(scale=2.5), [-1.0, 0.0, 0.3, 10.0])
    divergence(Exponential(2.0), Exponential(0.7), np.linspace(0, 30, 200_001))


def test_refusals():
    with pytest.raises(ValueError, match=r"Exponential: X must be at least 0 or NaN, got -1\.0"):
        Exponential.fit([1.0, -1.0])
    with pytest.raises(ValueError, match="Exponential: data must be above 0"):
        Exponential.fit([0.0, 0.0])
    with pytest.raises(ValueError, match="Exponential: data must be observed in every column"):
        Exponential.fit([np.nan])
    with pytest.raises(ValueError, match="Exponential: prior must be of a concentration above 1"):
        Exponential.fit(np.empty(0), GammaExponential(1.0, 1.0))
    assert_allclose(Exponential.fit(np.empty(0), GammaExponential(3.0, 4.0)).rate, 0.5)
