"""Asymptotic normality of maximum likelihood (distributions.40)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Laplace, Normal, Poisson, sandwich_covariance


def normal(t):
    return Normal(t[0], t[1])


def test_closed_forms():
    """distributions.40: for a normal, variance/n; the sandwich has the fourth moment."""
    x = np.random.default_rng(0).laplace(size=400)
    theta = [x.mean(), x.std()]
    law = sandwich_covariance(normal, theta, x)
    var, n = x.var(), len(x)
    assert_allclose(np.diagonal(law.fisher), [var / n, var / (2 * n)], rtol=1e-5)
    fourth = np.mean((x - x.mean()) ** 4)
    robust = [var / n, (fourth - var**2) / (4 * var * n)]
    assert_allclose(np.diagonal(law.sandwich), robust, rtol=1e-5)


def test_coverage():
    """distributions.40: robust intervals hold 90 % under a wrong model, Fisher's do not."""
    rng, inside = np.random.default_rng(1), np.zeros(2)
    truth = np.sqrt(2.0)
    for _ in range(300):
        x = Laplace(0.0, 1.0).sample(400, rng)
        law = sandwich_covariance(normal, [x.mean(), x.std()], x)
        for j, robust in enumerate((True, False)):
            low, high = law.interval(0.9, robust=robust)
            inside[j] += low[1] <= truth <= high[1]
    assert 0.84 < inside[0] / 300 < 0.96
    assert inside[1] / 300 < 0.84


def test_equivariance():
    """distributions.40: the law of a function of the estimate, by its slope."""
    x = Poisson(4.0).sample(500, 0)
    rate = sandwich_covariance(lambda t: Poisson(t[0]), [x.mean()], x)
    log_rate = sandwich_covariance(lambda t: Poisson(np.exp(t[0])), [np.log(x.mean())], x)
    moved = rate.transformed(np.log)
    assert_allclose(moved.theta, log_rate.theta)
    assert_allclose(moved.sandwich, log_rate.sandwich, rtol=1e-5)
    assert_allclose(moved.fisher, log_rate.fisher, rtol=1e-5)


def test_weights_count_rows():
    x = np.array([1.0, 2.0, 5.0])
    w = np.array([2.0, 1.0, 3.0])
    one = sandwich_covariance(lambda t: Normal(t[0], 1.0), [np.average(x, weights=w)], x, w)
    many = sandwich_covariance(
        lambda t: Normal(t[0], 1.0), [np.average(x, weights=w)], np.repeat(x, [2, 1, 3])
    )
    assert_allclose(one.sandwich, many.sandwich)
    with pytest.raises(ValueError, match="level must be a number between 0 and 1"):
        one.interval(1.5)
