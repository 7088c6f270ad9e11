"""The mean of normal vectors of known covariance (distributions.33)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal, NormalMean, VectorMean


def test_formulas_with_bare_inverses(definite):
    """distributions.33: S_n = (S^-1 + n Sigma^-1)^-1."""
    S, noise, m = definite(3, 0), definite(3, 1), np.array([1.0, -1.0, 0.5])
    X = np.random.default_rng(0).normal(size=(7, 3))
    after = VectorMean(m, S, noise).posterior(X)
    inverse = np.linalg.inv
    wanted = inverse(inverse(S) + 7 * inverse(noise))
    assert_allclose(after.covariance, wanted)
    mean = wanted @ (inverse(S) @ m + 7 * inverse(noise) @ X.mean(axis=0))
    assert_allclose(after.mean, mean)
    assert_allclose(after.predictive().covariance, wanted + noise)
    fit = MultivariateNormal.fit(X, VectorMean(m, S, noise))
    assert_allclose(fit.mean, mean)
    assert_allclose(fit.covariance, noise)


def test_evidence_is_a_product_of_predictions(definite):
    """distributions.33: sequential equals batch, and the bound is tight."""
    prior = VectorMean(np.zeros(2), definite(2, 0), definite(2, 1))
    X = np.random.default_rng(0).normal(size=(5, 2))
    belief, total = prior, 0.0
    for row in X:
        total += float(belief.predictive().log_prob(row))
        belief = belief.posterior(row[None])
    assert_allclose(total, prior.log_evidence(X))
    assert_allclose(belief.mean, prior.posterior(X).mean)
    bound = belief.expected_log_prob(X).sum() - belief.kl(prior)
    assert_allclose(bound, prior.log_evidence(X))
    assert prior.log_evidence(np.empty((0, 2))) == 0.0


def test_one_coordinate_is_the_plain_case():
    """distributions.32 as a case of distributions.33."""
    x = np.array([1.0, 2.0, 3.0, 6.0])
    line = VectorMean([0.0], [[1.0]], [[4.0]])
    assert_allclose(line.log_evidence(x[:, None]), NormalMean(0.0, 1.0, 2.0).log_evidence(x))
    with pytest.raises(ValueError, match=r"VectorMean: noise must be of shape \(1, 1\)"):
        VectorMean([0.0], [[1.0]], np.eye(2))
    with pytest.raises(ValueError, match="VectorMean: dimension must be 1, got 2"):
        line.posterior([[1.0, 2.0]])
