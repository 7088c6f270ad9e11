"""Entropy of counts by summation (distributions.20)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Poisson
from margin.distributions.discrete._count_entropy import count_entropy


def test_against_scipy_and_the_normal_limit():
    """distributions.20: small rates by SciPy, large ones near half the log of 2 pi e rate."""
    rates = np.array([0.0, 0.1, 3.0, 500.0])
    assert_allclose(count_entropy(Poisson(rates))[1:], stats.poisson(rates[1:]).entropy())
    large = 1e6
    limit = 0.5 * np.log(2 * np.pi * np.e * large) - 1 / (12 * large)
    assert_allclose(count_entropy(Poisson(large)), limit, rtol=1e-8)
