"""Poisson deviance (losses.14)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import poisson
from sklearn.metrics import mean_poisson_deviance

from margin.losses import Poisson
from margin.testing import LossContract


class TestPoissonContract(LossContract):
    extreme = 300.0

    def make(self):
        return [Poisson()]


def test_is_half_the_deviance_of_scikit_learn():
    """losses.14: counts with a logarithmic link."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.poisson(2.0, size=50)
    assert_allclose(2 * Poisson().value(z, y).mean(), mean_poisson_deviance(y, np.exp(z)))


def test_is_the_negative_log_likelihood_up_to_the_saturated_one():
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.poisson(2.0, size=50)
    nll = -poisson.logpmf(y, np.exp(z))
    assert_allclose(Poisson().value(z, y) + Poisson().log_likelihood_shift(y), nll)


def test_no_digit_is_lost_near_the_minimum():
    """y s^2 / 2 to leading order, where the plain formula gives rounding noise."""
    y, s = np.array([1000.0]), 1e-7
    assert_allclose(Poisson().value(np.log(y) + s, y), 1000 * s**2 / 2, rtol=1e-5)
    assert Poisson().value(np.log(y), y)[0] < 1e-25


def test_best_constant_is_the_logarithm_of_the_mean():
    y = np.array([0.0, 1.0, 5.0])
    assert abs(Poisson().sweep(np.full(3, np.log(2.0)), y, None)[1].sum()) < 1e-14
