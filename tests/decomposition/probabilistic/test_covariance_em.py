"""Expectation maximisation on a covariance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from margin.decomposition._blocks import moments
from margin.decomposition.probabilistic._covariance_em import Loadings, covariance_em
from margin.decomposition.probabilistic._latent_normal import LatentNormal
from margin.decomposition.probabilistic._second_moments import SecondMoments

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 2)) @ RNG.normal(size=(2, 6)) + RNG.normal(size=(120, 6))


@pytest.mark.parametrize("isotropic", [False, True])
def test_likelihood_rises_and_is_that_of_the_rows(isotropic):
    """decomposition.06, decomposition.09: the smallest step of EM is not down."""
    stats = SecondMoments.of_moments(moments(X))
    start = Loadings(RNG.normal(size=(6, 2)), np.ones(6))
    found = covariance_em(
        stats, start, np.full(6, 1e-9), isotropic=isotropic, tol=1e-10, max_iter=500
    )
    assert found.extras["smallest_step"] > -1e-8
    law = LatentNormal(X.mean(axis=0), *found.x)
    exact = multivariate_normal(law.mean, law.covariance()).logpdf(X).sum()
    assert_allclose(-found.objective, exact, rtol=1e-10)
    if isotropic:
        values = np.linalg.eigvalsh(np.cov(X.T, bias=True))
        assert_allclose(law.noise, values[:4].mean(), rtol=1e-4)
