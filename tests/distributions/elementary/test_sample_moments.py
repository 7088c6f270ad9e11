"""Moments of samples and distributions (distributions.15, distributions.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import (
    Laplace,
    Normal,
    Uniform,
    conditional_expectation,
    moment,
    moment_generating_function,
    sample_moments,
)


def test_against_scipy():
    """distributions.15: skewness and excess kurtosis with divisor n, gaps left out."""
    x = np.random.default_rng(0).gamma(2.0, size=(200, 2)) + 1e4
    x[::7, 1] = np.nan
    ours = sample_moments(x)
    for j in range(2):
        column = x[~np.isnan(x[:, j]), j]
        assert_allclose(ours.mean[j], column.mean())
        assert_allclose(ours.var[j], column.var(), rtol=1e-9)
        assert_allclose(ours.unbiased_var[j], column.var(ddof=1), rtol=1e-9)
        assert_allclose(ours.skewness[j], stats.skew(column), rtol=1e-7)
        assert_allclose(ours.kurtosis[j], stats.kurtosis(column), rtol=1e-7)
    assert np.isnan(sample_moments([1.0, 1.0]).skewness)
    weighted = sample_moments([1.0, 2.0], [3.0, 1.0])
    assert_allclose(weighted.var, sample_moments([1.0, 1.0, 1.0, 2.0]).var)


def test_bias_of_the_divisor():
    """distributions.17: E[var with 1/n] = (n - 1)/n of the variance, over all samples of a die."""
    faces = np.arange(1.0, 7.0)
    samples = np.array(np.meshgrid(faces, faces, faces)).reshape(3, -1)
    assert_allclose(sample_moments(samples).var.mean(), 2 / 3 * faces.var())
    assert_allclose(sample_moments(samples).unbiased_var.mean(), faces.var())


def test_moments_of_distributions():
    """distributions.15: excess kurtosis 0, -1.2 and 3, by integration."""
    cases = ((Normal(1.0, 2.0), 0.0), (Uniform(0.0, 3.0), -1.2), (Laplace(1.0, 2.0), 3.0))
    for law, excess in cases:
        second, fourth = (moment(law, k, central=True) for k in (2, 4))
        assert_allclose(second, law.var, rtol=1e-7)
        assert_allclose(fourth / second**2 - 3.0, excess, atol=1e-6)


def test_moment_generating_function():
    """distributions.15: slopes at 0 are moments."""
    law = Normal(0.5, 2.0)
    assert_allclose(moment_generating_function(law, 0.3), np.exp(0.15 + 0.18), rtol=1e-9)
    h = 1e-4
    slope = (moment_generating_function(law, h) - moment_generating_function(law, -h)) / (2 * h)
    assert_allclose(slope, 0.5, rtol=1e-6)


def test_conditional_expectation():
    """distributions.15: its mean is the expectation."""
    p = np.random.default_rng(0).dirichlet(np.ones(12)).reshape(4, 3)
    x = np.arange(4.0)
    assert_allclose(conditional_expectation(p, x) @ p.sum(axis=0), x @ p.sum(axis=1))
    assert np.isnan(conditional_expectation([[1.0, 0.0]], [5.0])[1])
    with pytest.raises(ValueError, match="conditional_expectation: table must be of shape"):
        conditional_expectation([1.0], [1.0])
    with pytest.raises(ValueError, match="sample_moments: X must be finite and observed"):
        sample_moments([np.nan])
