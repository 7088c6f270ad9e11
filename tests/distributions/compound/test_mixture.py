"""Mixtures as distributions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import (
    Categorical,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
    Product,
    StudentT,
)
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """Mixtures of vectors and of rows of columns are distributions."""

    def make(self):
        full = MultivariateNormal([[0.0, 0.0], [3.0, 1.0]], [[1.0, 0.5], [0.5, 2.0]])
        columns = Normal([[0.0, 1.0], [5.0, -1.0]], [[1.0, 2.0], [0.5, 1.0]])
        return [MixtureDistribution([0.3, 0.7], full), MixtureDistribution([0.6, 0.4], columns)]


def test_one_number_by_sums():
    """Density, cdf, moments and quantiles of a normal and a heavy tail, against quadrature."""
    mix = MixtureDistribution([0.3, 0.7], [Normal(-2.0, 1.0), StudentT(9.0, 2.0, 0.5)])
    x = np.linspace(-60, 60, 400_001)
    density = np.exp(mix.log_prob(x))
    assert_allclose(np.trapezoid(density, x), 1.0, rtol=1e-9)
    mean = np.trapezoid(density * x, x)
    assert_allclose(mix.mean, mean, rtol=1e-7)
    var = np.trapezoid(density * (x - mean) ** 2, x)
    assert_allclose(mix.var, var, rtol=1e-6)
    assert_allclose(mix.skewness, np.trapezoid(density * (x - mean) ** 3, x) / var**1.5, rtol=1e-4)
    fourth = np.trapezoid(density * (x - mean) ** 4, x) / var**2 - 3
    assert_allclose(mix.kurtosis, fourth, rtol=1e-3)
    levels = np.array([0.001, 0.2, 0.5, 0.9])
    assert_allclose(mix.cdf(mix.quantile(levels)), levels)
    assert mix.log_prob(np.nan) == pytest.approx(0.0, abs=1e-12)
    draws = np.sort(mix.sample(5000, 0))
    assert stats.kstest(draws, mix.cdf).pvalue > 0.01


def test_counts_have_whole_quantiles():
    mix = MixtureDistribution([0.5, 0.5], Poisson([1.0, 20.0]))
    k = np.arange(80.0)
    sums = np.cumsum(np.exp(mix.log_prob(k)))
    for level in (0.05, 0.3, 0.77, 0.999):
        assert mix.quantile(level) == np.searchsorted(sums, level)


def test_responsibilities_are_bayes_rule():
    mix = MixtureDistribution([0.3, 0.7], Normal([0.0, 4.0], 1.0))
    x = np.array([-1.0, 2.0, np.nan])
    weights = np.array([0.3, 0.7]) * stats.norm.pdf(x[:2, None], [0.0, 4.0], 1.0)
    wanted = weights / weights.sum(axis=1, keepdims=True)
    assert_allclose(mix.responsibilities(x)[:2], wanted)
    assert_allclose(mix.responsibilities(x)[2], [0.3, 0.7])
    far = MixtureDistribution([0.5, 0.5], Categorical([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    assert_allclose(far.responsibilities([2.0]), [[0.5, 0.5]])


def test_mixed_columns():
    parts = [Normal([[0.0], [5.0]], 1.0), Categorical([[[0.9, 0.1]], [[0.2, 0.8]]])]
    mix = MixtureDistribution([0.5, 0.5], Product(parts, [[0], [1]]))
    given = mix.condition([1], [1.0])
    assert_allclose(given.weights, [0.1 / 0.9, 0.8 / 0.9])
    assert_allclose(mix.log_prob([np.nan, 1.0]), np.log(0.45))


def test_refusals():
    with pytest.raises(ValueError, match="MixtureDistribution: weights must be of sum 1"):
        MixtureDistribution([0.5, 0.6], Normal([0.0, 1.0]))
    with pytest.raises(ValueError, match="MixtureDistribution: components must be over the same"):
        MixtureDistribution([0.5, 0.5], [Normal(0.0), Normal([0.0, 1.0])])
    with pytest.raises(ValueError, match="MixtureDistribution: components must be one for each"):
        MixtureDistribution([0.5, 0.5], [Normal(0.0)])
