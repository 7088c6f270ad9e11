"""The gamma distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Gamma
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Gamma(2.0, 4.0), Gamma([1.5, 30.0], [1.0, 0.1])]


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [Gamma(2.0, 4.0), Gamma([0.5, 30.0], [1.0, 0.1])]


def test_against_scipy(agrees, divergence):
    for a, b in ((0.3, 2.0), (1.0, 1.0), (7.0, 0.2)):
        agrees(Gamma(a, b), stats.gamma(a, scale=1 / b), [-1.0, 0.01, 0.3, 10.0, 60.0])
    divergence(Gamma(3.0, 2.0), Gamma(1.5, 0.7), np.linspace(1e-9, 30, 200_001))
    assert_allclose(Gamma(3.0, 2.0).expected_log, Gamma(3.0, 2.0).mean * 0 + 0.229637, rtol=1e-5)


def test_likelihood_has_no_slope_at_the_fit():
    """distributions.23: and SciPy's search finds no better."""
    x = np.random.default_rng(0).gamma(2.5, 3.0, size=400)
    fit = Gamma.fit(x)
    a, _, scale = stats.gamma.fit(x, floc=0)
    assert_allclose([fit.concentration, fit.rate], [a, 1 / scale], rtol=1e-5)
    best = fit.log_prob(x).sum()
    for bump in (0.999, 1.001):
        assert Gamma(fit.concentration * bump, fit.rate).log_prob(x).sum() < best
        assert Gamma(fit.concentration, fit.rate * bump).log_prob(x).sum() < best


def test_ends_of_the_support_and_refusals():
    assert Gamma(2.0).log_prob(0.0) == -np.inf
    assert Gamma(1.0).log_prob(0.0) == 0.0
    assert Gamma(0.5).log_prob(0.0) == np.inf
    with pytest.raises(ValueError, match="Gamma: X must be above 0 or NaN"):
        Gamma.fit([0.0, 1.0])
    with pytest.raises(ValueError, match="Gamma: data must be of two values"):
        Gamma.fit([2.0, 2.0])
    with pytest.raises(ValueError, match=r"Gamma: concentration must be above 0, got -1\.0"):
        Gamma(-1.0)
