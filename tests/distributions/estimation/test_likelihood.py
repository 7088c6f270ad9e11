"""Maximum likelihood for any family (distributions.23, distributions.25)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.distributions import (
    Binomial,
    Gamma,
    MultivariateNormal,
    Normal,
    NormalMean,
    Poisson,
    likelihood_as_divergence,
    maximum_likelihood,
)


def test_recipe_agrees_with_closed_forms():
    """distributions.23, distributions.24: [1,2,3,4] gives 2.5 and 1.25; a gamma; weights; gaps."""
    fit = maximum_likelihood(
        lambda t: Normal(t[0], np.exp(t[1])), [0.0, 0.0], [1.0, 2.0, 3.0, 4.0, np.nan]
    )
    assert_allclose([fit.distribution.mean, fit.distribution.var], [2.5, 1.25], rtol=1e-6)
    rng = np.random.default_rng(0)
    x, w = rng.gamma(2.0, 3.0, size=100), rng.random(100)
    gamma = maximum_likelihood(lambda t: Gamma(*np.exp(t)), [0.0, 0.0], x, w).distribution
    exact = Gamma.fit(Gamma.statistics(x, w))
    assert_allclose([gamma.concentration, gamma.rate], [exact.concentration, exact.rate], rtol=1e-5)


def test_vectors_with_gaps():
    """distributions.23: the mean of rows with NaN, at which the slope is zero."""
    covariance = np.array([[1.0, 0.8], [0.8, 1.0]])
    X = np.array([[0.0, 1.0], [1.0, np.nan], [2.0, 2.0], [5.0, np.nan]])
    fit = maximum_likelihood(lambda t: MultivariateNormal(t, covariance), [0.0, 0.0], X)
    stats = fit.distribution.expected_statistics(X)
    assert_allclose(stats.mean, fit.theta, rtol=1e-6)


def test_with_a_prior():
    """distributions.26: the logarithm of the prior counts once."""
    x = np.array([1.0, 2.0, 3.0, 6.0])
    fit = maximum_likelihood(
        lambda t: Normal(t[0], 2.0), [0.0], x, log_prior=lambda t: float(-0.5 * t[0] ** 2)
    )
    assert_allclose(fit.theta, NormalMean(0.0, 1.0, 2.0).posterior(x).mean, rtol=1e-6)


def test_likelihood_is_nearness():
    """distributions.25: KL(q, p) + scaled log-likelihood = -H(q), and the fit is the nearest."""
    x = np.array([0.0, 1.0, 1.0, 3.0, 2.0, 1.0])
    for rate in (0.5, 1.0, 4.0):
        account = likelihood_as_divergence(Poisson(rate), x)
        assert_allclose(account.scaled_log_likelihood, Poisson(rate).log_prob(x).mean())
        assert_allclose(account.divergence + account.scaled_log_likelihood, -account.entropy)
        assert account.divergence >= 0
    best = likelihood_as_divergence(Poisson.fit(x), x).divergence
    for bump in (0.99, 1.01):
        assert likelihood_as_divergence(Poisson(x.mean() * bump), x).divergence > best


def test_misspecified_fit_is_a_projection():
    """distributions.25: far from true, a Poisson fit to binomial data has the nearest mean."""
    law = Binomial(10, 0.9)
    k = np.arange(11.0)
    weight = np.exp(law.log_prob(k))
    rates = np.linspace(5, 13, 801)
    apart = [likelihood_as_divergence(Poisson(r), k, weight).divergence for r in rates]
    assert_allclose(rates[np.argmin(apart)], law.mean, atol=0.01)


def test_refusals():
    with pytest.raises(FitError, match="the search must end at a maximum"):
        maximum_likelihood(
            lambda t: Normal(t[0]), [0.0], [np.nan], log_prior=lambda t: float(5 * t[0])
        )
    with pytest.raises(ValueError, match="weight must be above 0 for some row"):
        maximum_likelihood(lambda t: Normal(t[0]), [0.0], [1.0], [0.0])
    with pytest.raises(ValueError, match="x must be observed values"):
        likelihood_as_divergence(Poisson(1.0), [np.nan])
