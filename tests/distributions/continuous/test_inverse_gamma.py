"""The inverse-gamma distribution (distributions.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import InverseGamma
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [InverseGamma(5.0, 4.0), InverseGamma([6.0, 30.0], [1.0, 0.1])]


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [InverseGamma(8.0, 4.0), InverseGamma([9.0, 30.0], [1.0, 0.1])]


def test_against_scipy(agrees, divergence):
    """distributions.12."""
    agrees(InverseGamma(5.5, 2.0), stats.invgamma(5.5, scale=2.0), [-1.0, 0.0, 0.1, 0.5, 3.0])
    divergence(InverseGamma(6.0, 2.0), InverseGamma(4.0, 1.0), np.linspace(1e-6, 60, 600_001))


def test_moments_that_do_not_exist():
    """distributions.12: infinite mean up to 1, variance up to 2, no skewness up to 3."""
    heavy = InverseGamma([1.0, 2.0, 3.0, 4.0], 1.0)
    assert_allclose(heavy.mean, [np.inf, 1.0, 0.5, 1 / 3])
    assert (heavy.var[:2] == np.inf).all()
    assert np.isnan(heavy.skewness[:3]).all()
    assert np.isnan(heavy.kurtosis).all()
    assert_allclose(heavy.mode, 1.0 / np.array([2.0, 3.0, 4.0, 5.0]))
    assert np.isnan(heavy.cdf(np.nan)).all()
    with pytest.raises(ValueError, match="InverseGamma: X must be above 0"):
        InverseGamma.fit([-1.0, 1.0])
