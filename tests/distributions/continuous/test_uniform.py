"""The uniform distribution (distributions.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Uniform
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Uniform(2.0, 6.0), Uniform([0.0, -2.0], [1.0, 9.0])]


def test_against_scipy(agrees, divergence):
    """distributions.06, distributions.15: excess kurtosis -1.2."""
    agrees(Uniform(2.0, 6.0), stats.uniform(2.0, 4.0), [1.0, 2.5, 5.9, 7.0])
    assert Uniform(2.0, 6.0).kurtosis == -1.2
    assert_allclose(Uniform(1.0, 2.0).kl(Uniform(0.0, 4.0)), np.log(4.0))
    assert Uniform(0.0, 4.0).kl(Uniform(1.0, 2.0)) == np.inf


def test_fit_is_the_range_of_every_member():
    """distributions.23: no shorter interval has the data."""
    X = np.array([[1.0, 5.0], [2.0, np.nan], [4.0, 7.0]])
    R = np.array([[1.0, 0.5], [1.0, 0.0], [0.0, 0.5]])
    stacked = Uniform.statistics(X, R)
    assert_allclose(stacked.low, [[1.0, 5.0], [1.0, 5.0]])
    assert_allclose(stacked.high, [[2.0, 5.0], [4.0, 7.0]])
    fit = Uniform.fit(X)
    assert_allclose([fit.low, fit.high], [[1.0, 5.0], [4.0, 7.0]])
    halves = Uniform.statistics(X[:1], R[:1]) + Uniform.statistics(X[1:], R[1:])
    assert_allclose(halves.low, stacked.low)


def test_refusals():
    with pytest.raises(ValueError, match="Uniform: high must be above low"):
        Uniform(1.0, 1.0)
    with pytest.raises(ValueError, match="Uniform: data must be of two values"):
        Uniform.fit([1.0, 1.0])
    with pytest.raises(ValueError, match="Uniform: prior must be None"):
        Uniform.fit([1.0, 2.0], prior=1.0)
