"""Penalties as priors (penalties.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import laplace, multivariate_normal, norm

from margin.losses import Squared
from margin.penalties import (
    L1,
    L2,
    Quadratic,
    from_gaussian_prior,
    from_laplace_prior,
    log_prior,
)

RNG = np.random.default_rng(0)
W = RNG.normal(size=3)


@pytest.mark.parametrize("noise", [1.0, 0.5, 3.0])
def test_negative_log_posterior_is_the_penalised_loss(noise):
    """penalties.08: up to a constant and the factor sigma^2, for all three priors."""
    X, y = RNG.normal(size=(10, 3)), RNG.normal(size=10)
    precision = np.diag([1.0, 2.0, 3.0]) + 0.3
    cases = [
        (from_gaussian_prior(variance=0.4, noise_variance=noise), norm(0, np.sqrt(0.4)).logpdf),
        (from_laplace_prior(scale=0.7, noise_variance=noise), laplace(0, 0.7).logpdf),
        (
            from_gaussian_prior(precision=precision, noise_variance=noise),
            multivariate_normal(np.zeros(3), np.linalg.inv(precision)).logpdf,
        ),
    ]
    for penalty, log_density in cases:
        offsets = []
        for w in RNG.normal(size=(5, 3)):
            posterior = norm(X @ w, np.sqrt(noise)).logpdf(y).sum() + np.sum(log_density(w))
            objective = Squared().value(X @ w, y).sum() + penalty.value(w)
            offsets.append(objective / noise + posterior)
        assert_allclose(offsets, offsets[0], rtol=1e-9)


def test_ridge_prior_has_the_variance_noise_over_strength():
    """penalties.08: RSS + lambda |b|^2 is the prior N(0, s^2 / lambda)."""
    strength, noise = 2.5, 0.8
    assert_allclose(
        log_prior(L2(strength), W, noise), norm(0, np.sqrt(noise / strength)).logpdf(W).sum()
    )
    assert from_gaussian_prior(variance=noise / strength, noise_variance=noise) == L2(strength)


def test_lasso_prior_normalises_with_the_constants_of_the_text():
    """penalties.08: (lambda / 4 s^2) exp(-|b| lambda / 2 s^2) for RSS + lambda |b|."""
    lam, noise = 1.7, 0.6
    alpha = lam / 2  # half the RSS plus alpha |b|

    def density(b):
        return np.exp(log_prior(L1(alpha), np.array([b]), noise))

    assert_allclose(density(0.9), lam / (4 * noise) * np.exp(-0.9 * lam / (2 * noise)))
    assert_allclose(quad(density, -np.inf, 0)[0] + quad(density, 0, np.inf)[0], 1.0)


def test_general_precision():
    """penalties.08: a Gaussian prior of precision Lambda = alpha Omega / s^2."""
    omega = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.2, 3.0]])
    peer = multivariate_normal(np.zeros(3), np.linalg.inv(omega * 1.5 / 0.7))
    assert_allclose(log_prior(Quadratic(omega, 1.5), W, 0.7), peer.logpdf(W))
    with pytest.raises(ValueError, match="log_prior: penalty must be of a regular omega"):
        log_prior(Quadratic(np.zeros((3, 3))), W)


def test_prior_variance_of_a_random_field():
    """penalties.08: with a log-likelihood as loss, |w|^2 / (2 sigma^2)."""
    assert from_gaussian_prior(variance=10.0).value(W) == pytest.approx(W @ W / 20)


def test_bad_priors_are_refused():
    with pytest.raises(ValueError, match="from_gaussian_prior: variance must be given"):
        from_gaussian_prior()
    with pytest.raises(ValueError, match="from_gaussian_prior: variance must be a number above 0"):
        from_gaussian_prior(variance=0.0)
    with pytest.raises(ValueError, match="from_laplace_prior: scale must be a number above 0"):
        from_laplace_prior(scale=-1.0)
    with pytest.raises(ValueError, match="log_prior: penalty must be of a strength above 0"):
        log_prior(L2(0.0), W)
