"""The Poisson distribution (distributions.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from margin.distributions import Poisson
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """distributions.09: everything a distribution promises."""

    def make(self):
        return [Poisson(0.02), Poisson(2.5), Poisson([0.3, 7.0, 40.0])]

    def support(self, distribution):
        return np.arange(200.0)


def test_against_scipy():
    rate = np.array([1e-8, 0.4, 3.0, 250.0, 1e6])
    ours, theirs = Poisson(rate), stats.poisson(rate)
    k = np.array([0.0, 1, 2, 17, 249, 1e6, 2.5, -1.0])[:, None]
    assert_allclose(ours.log_prob(k[:6]), theirs.logpmf(k[:6]), rtol=1e-9)
    assert_allclose(ours.cdf(k), theirs.cdf(k), rtol=1e-12)
    levels = [0.001, 0.05, 0.5, 0.95, 0.999]
    assert_array_equal(ours.quantile(levels), [theirs.ppf(q) for q in levels])


def test_quantile_is_the_first_count_that_reaches_the_level():
    """distributions.09: by running sums, at the sums themselves and around them."""
    for rate in (0.05, 0.7, 4.0, 30.0):
        sums = np.cumsum(stats.poisson.pmf(np.arange(80), rate))[:60]
        sums = sums[sums < 1 - 1e-9]
        assert_array_equal(Poisson(rate).quantile(sums * (1 - 1e-12)), np.arange(len(sums)))
        assert_array_equal(Poisson(rate).quantile(sums * (1 + 1e-12)), np.arange(len(sums)) + 1)
    assert_array_equal(Poisson([0.0, 2.0]).quantile([0.0, 1.0]), [[0.0, 0.0], [np.inf, np.inf]])


def test_no_event_is_certain_at_rate_zero():
    dist = Poisson(0.0)
    assert_array_equal(dist.log_prob([0.0, 1.0, 0.5]), [0.0, -np.inf, -np.inf])
    assert dist.cdf(0.0) == 1.0
    assert dist.quantile(0.7) == 0.0
    assert dist.sample(3, np.random.default_rng(0)).sum() == 0.0


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (-1.0, "Poisson: rate must be at least 0, got -1.0"),
        (np.inf, "Poisson: rate must be finite, got 'infinity'"),
        ("many", "Poisson: rate must be numbers, got 'many'"),
    ],
)
def test_refusals(rate, text):
    with pytest.raises(ValueError, match="Poisson") as caught:
        Poisson(rate)
    assert str(caught.value) == text


@pytest.mark.parametrize("rate", [1e9, 3e10, 1e12, 7.3e14])
def test_quantiles_of_large_rates(rate):
    """SciPy's inverse gives up; the count is the first that reaches the level all the same."""
    dist, levels = Poisson(rate), np.array([1e-10, 0.01, 0.5, 0.9])
    count = dist.quantile(levels)
    assert (dist.cdf(count) >= levels).all()
    assert (dist.cdf(count - 1.0) < levels).all()
    z = stats.norm.ppf(levels)
    assert_allclose(count, rate + z * np.sqrt(rate) + (z**2 - 1.0) / 6.0, atol=2.0, rtol=1e-15)


def test_quantiles_of_rates_beyond_counts():
    assert_allclose(Poisson([1e18, 1e100, 1e300]).quantile(0.5), [1e18, 1e100, 1e300])


@pytest.mark.parametrize("deviations", [4.4, 4.6, 6.0])
def test_upper_tail_of_large_rates(deviations):
    rate = 4e6
    k = np.floor(rate + deviations * np.sqrt(rate))
    above = np.exp(Poisson(rate).log_prob(np.arange(k + 1.0, k + 40_000.0))).sum()
    assert_allclose(1.0 - Poisson(rate).cdf(k), above, rtol=1e-5, atol=1e-15)
    assert Poisson(rate).cdf(1e300) == 1.0
    far = Poisson(1e14).quantile(1.0 - 1e-9)
    assert_allclose((far - 1e14) / 1e7, stats.norm.isf(1e-9), rtol=1e-6)
