"""Entropy of counts by summation (distributions.20)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import gammaln

from margin.distributions import Binomial, Poisson
from margin.distributions.discrete._count_entropy import count_entropy, expected_log_factorial


def test_against_scipy_and_the_normal_limit():
    """distributions.20: small rates by SciPy, large ones near half the log of 2 pi e rate."""
    rates = np.array([0.0, 0.1, 3.0, 500.0])
    assert_allclose(count_entropy(Poisson(rates))[1:], stats.poisson(rates[1:]).entropy())
    large = 1e6
    limit = 0.5 * np.log(2 * np.pi * np.e * large) - 1 / (12 * large)
    assert_allclose(count_entropy(Poisson(large)), limit, rtol=1e-8)


def test_expected_log_factorial_by_summation():
    chances = np.array([0.0, 0.3, 1.0])
    counts = np.arange(6)
    mass = stats.binom.pmf(counts[:, None], 5, chances)
    ours = expected_log_factorial(Binomial(5, chances))
    assert_allclose(ours, gammaln(counts + 1) @ mass, atol=1e-14)
