"""Gaussian posterior of regression coefficients."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear.bayesian._gaussian_evidence import GaussianEvidence
from margin.linear.bayesian._gaussian_posterior import coefficient_posterior
from margin.linear.regression._regression_statistics import RegressionStatistics


def sample(n=15, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + 1.0
    return X, X @ rng.normal(size=p) + rng.normal(size=n)


@pytest.mark.parametrize("shape", [(15, 3), (2, 6)])
@pytest.mark.parametrize("isotropic", [False, True])
def test_mean_and_covariance_are_the_textbook_ones(shape, isotropic):
    """linear.16: S = (Lambda + X^T X / s^2)^-1, m = S X^T y / s^2."""
    X, y = sample(*shape)
    p, noise = shape[1], 2.5
    A = np.random.default_rng(1).normal(size=(p, p + 2))
    prior = 0.7 * np.eye(p) if isotropic else A @ A.T
    stats = RegressionStatistics.of(X, y, None, centre=False)
    root = None if isotropic else np.linalg.cholesky(prior)
    precision = 0.7 if isotropic else 1.0
    found = coefficient_posterior(
        GaussianEvidence.of(stats, root, precision, noise), precision, noise
    )
    S = np.linalg.inv(prior + noise * X.T @ X)
    assert_allclose(found.covariance(), S, rtol=1e-8, atol=1e-10)
    assert_allclose(found.mean, noise * S @ X.T @ y, rtol=1e-8, atol=1e-10)
    rows = np.random.default_rng(2).normal(size=(7, p))
    assert_allclose(found.variance_along(rows), np.einsum("ij,jk,ik->i", rows, S, rows), rtol=1e-8)


def test_no_data_direction_keeps_the_prior():
    """A feature that never varies is as uncertain as before."""
    X, y = sample()
    X[:, 1] = 0.0
    stats = RegressionStatistics.of(X, y, None, centre=False)
    found = coefficient_posterior(GaussianEvidence.of(stats, None, 4.0, 1.0), 4.0, 1.0)
    assert_allclose(found.mean[1], 0.0, atol=1e-12)
    assert_allclose(found.covariance()[1], [0.0, 0.25, 0.0], atol=1e-12)


def test_more_data_never_widen_the_posterior():
    """linear.16: the covariance falls, in the order of positive semi-definite matrices."""
    X, y = sample(n=30)
    widths = []
    for n in (5, 10, 30):
        stats = RegressionStatistics.of(X[:n], y[:n], None, centre=False)
        widths.append(
            coefficient_posterior(GaussianEvidence.of(stats, None, 1.0, 1.0), 1.0, 1.0).covariance()
        )
    for wide, narrow in pairwise(widths):
        assert np.linalg.eigvalsh(wide - narrow)[0] > -1e-12
