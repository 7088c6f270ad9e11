"""Latent normal laws against the normal distribution that they are."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal

from margin.decomposition.probabilistic._latent_normal import LatentNormal, row_parts

RNG = np.random.default_rng(0)


def _law(p=5, k=2):
    return LatentNormal(RNG.normal(size=p), RNG.normal(size=(p, k)), RNG.uniform(0.2, 2, p))


@pytest.mark.parametrize("k", [0, 2, 5])
def test_density_covariance_and_precision(k):
    law = _law(k=k)
    X = RNG.normal(size=(20, 5))
    exact = multivariate_normal(law.mean, law.covariance())
    assert_allclose(law.posterior(X).log_prob, exact.logpdf(X), rtol=1e-10)
    assert_allclose(law.covariance() @ law.precision(), np.eye(5), atol=1e-10)


def test_gaps_are_integrated_out():
    """decomposition.06: brute force over the joint normal of causes and observed columns."""
    law = _law()
    X = RNG.normal(size=(40, 5))
    X[RNG.random(X.shape) < 0.4] = np.nan
    X[0] = np.nan
    found = law.posterior(X)
    sigma = law.covariance()
    filled = law.completed(X)
    for i, row in enumerate(X):
        seen = ~np.isnan(row)
        inside = sigma[np.ix_(seen, seen)]
        gain = law.loadings[seen].T @ np.linalg.inv(inside) if seen.any() else np.zeros((2, 0))
        away = row[seen] - law.mean[seen]
        assert_allclose(found.mean[i], gain @ away, atol=1e-10)
        assert_allclose(found.covariance[i], np.eye(2) - gain @ law.loadings[seen], atol=1e-10)
        exact = multivariate_normal.logpdf(row[seen], law.mean[seen], inside) if seen.any() else 0
        assert_allclose(found.log_prob[i], exact, atol=1e-9)
        if seen.any():
            cross = sigma[np.ix_(~seen, seen)] @ np.linalg.inv(inside)
            assert_allclose(filled[i, ~seen], law.mean[~seen] + cross @ away, atol=1e-9)
    assert_allclose(filled[0], law.mean)


def test_means_alone_are_those_of_the_posterior():
    rng = np.random.default_rng(5)
    law = LatentNormal(rng.normal(size=7), rng.normal(size=(7, 3)), rng.random(7) + 0.1)
    X = rng.normal(size=(40_000, 7))
    assert_allclose(law.posterior_mean(X), law.posterior(X).mean, atol=1e-12)
    X[::9, 2] = np.nan
    assert_array_equal(law.posterior_mean(X), law.posterior(X).mean)


def test_canonical_form_is_the_same_law():
    law = _law(k=3)
    turned = law.canonical()
    assert_allclose(turned.covariance(), law.covariance(), atol=1e-12)
    inner = turned.loadings.T @ (turned.loadings / turned.noise[:, None])
    assert_allclose(inner, np.diag(np.sort(np.diagonal(inner))[::-1]), atol=1e-10)


def test_samples_have_the_moments():
    law = _law()
    drawn = law.sample(200_000, np.random.default_rng(1))
    assert_allclose(drawn.mean(axis=0), law.mean, atol=0.03)
    assert_allclose(np.cov(drawn.T), law.covariance(), atol=0.08)


def test_row_parts_cover_all_rows():
    parts = row_parts(100_000, 50, 30)
    assert parts[0].start == 0
    assert parts[-1].stop == 100_000
    assert all(a.stop == b.start for a, b in pairwise(parts))
