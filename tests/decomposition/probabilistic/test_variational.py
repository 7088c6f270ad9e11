"""Variational Bayes for principal components."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import gamma

from margin.decomposition._blocks import RowBlocks, moments
from margin.decomposition.probabilistic import _variational as variational
from margin.decomposition.probabilistic._second_moments import SecondMoments

RNG = np.random.default_rng(0)
X = RNG.normal(size=(70, 2)) @ RNG.normal(size=(2, 5)) + 0.4 * RNG.normal(size=(70, 5))
X -= X.mean(axis=0)
START = variational.start(np.zeros(5), RNG.normal(size=(5, 3)), 0.5, 350.0)


def test_bound_rises():
    """decomposition.07: no step lowers the bound."""
    stats = SecondMoments.of_moments(moments(X))
    found = variational.fit_covariance(stats, [START], tol=1e-10, max_iter=3000)
    assert found.status.ok
    assert found.extras["smallest_step"] > -1e-7


def test_rows_and_covariance_agree():
    """decomposition.07: complete rows by either way, step by step."""
    stats = SecondMoments.of_moments(moments(X))
    one = variational.fit_covariance(stats, [START], tol=0, max_iter=30)
    two = variational.fit_gaps(RowBlocks([(X, None)]), np.zeros(5), START, tol=0, max_iter=30)
    assert_allclose(one.trace["objective"], two.trace["objective"], rtol=1e-8)
    assert_allclose(one.x.loadings, two.x.loadings, atol=1e-7)
    assert_allclose(one.x.relevance, two.x.relevance, rtol=1e-6)


def test_bound_is_below_the_evidence():
    """decomposition.07: by importance sampling of a tiny model from its prior given the rest."""
    rows = np.array([[1.0], [-1.2], [0.3]])
    stats = SecondMoments(3.0, np.mean(rows**2, axis=0), rows.T @ rows / 3, None)
    at = variational.start(np.zeros(1), np.array([[0.5]]), 0.5, 3.0)
    found = variational.fit_covariance(stats, [at], tol=1e-12, max_iter=5000)
    rng, size = np.random.default_rng(1), 400_000
    b = variational.BROAD
    # Log-uniform stands for the broad gamma priors; the difference is weighed.
    log_tau, log_alpha = rng.uniform(-14, 14, size), rng.uniform(-14, 14, size)
    tau, alpha = np.exp(log_tau), np.exp(log_alpha)
    weigh = 2 * np.log(28) + _log_gamma_density(tau, b) + _log_gamma_density(alpha, b)
    weigh += log_tau + log_alpha
    w = rng.normal(size=size) / np.sqrt(alpha)
    variance = w**2 + 1 / tau
    like = -0.5 * np.sum(np.log(2 * np.pi * variance) + rows**2 / variance, axis=0)
    evidence = np.log(np.mean(np.exp(like + weigh)))
    assert -found.objective < evidence


def _log_gamma_density(x, b):
    return gamma.logpdf(x, b, scale=1 / b)
