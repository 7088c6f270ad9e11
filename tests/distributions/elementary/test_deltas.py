"""Indicators and deltas (distributions.02)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import Empirical, Normal, dirac, expectation, indicator, kronecker_delta


def test_indicator_and_kronecker():
    """distributions.02: the mean of an indicator is a probability; deltas pick entries."""
    draws = Normal(0.0, 1.0).sample(20_000, 0)
    assert_allclose(indicator(draws <= 1.0).mean(), Normal(0.0, 1.0).cdf(1.0), atol=0.01)
    i, j = np.arange(4)[:, None], np.arange(4)
    assert_allclose(kronecker_delta(i, j), np.eye(4))
    a = np.array([3.0, 1.0, 4.0, 1.0])
    assert_allclose(kronecker_delta(2, j) @ a, 4.0)


def test_dirac_is_the_limit_of_narrow_normals():
    """distributions.02: it picks the value of a function, as ever narrower normals do."""
    assert_allclose(expectation(dirac(2.0), np.exp), np.exp(2.0))
    x = np.linspace(-2, 6, 400_001)
    for width, error in ((0.1, 0.05), (0.001, 1e-5)):
        integral = np.trapezoid(np.exp(Normal(2.0, width).log_prob(x)) * np.exp(x), x)
        assert abs(integral / np.exp(2.0) - 1.0) < error
    assert dirac([1.0, 2.0]).shape == (2,)
    assert_allclose(expectation(Empirical([1.0, 3.0], [1.0, 3.0]), np.square), 7.0)
