"""Expectation propagation: moments match, evidence against brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.gp.classification._expectation_propagation import ExpectationPropagation, match
from margin.gp.classification._laplace import Laplace
from margin.gp.classification._latent import Labels
from margin.gp.classification._likelihoods import Logistic, Probit
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(15, 2))
CODES = (X[:, 0] + 0.5 * RNG.normal(size=15) > 0).astype(np.intp)
SEEN = Labels(X, CODES, 2)
KERNEL = 4.0 * RBF((1.0, 0.7))
T = SEEN.signs()
BOTH = [Logistic(), Probit()]


@pytest.mark.parametrize("likelihood", BOTH)
def test_moments_match(likelihood):
    sites = match(KERNEL(X), likelihood, T)
    cavity, shift = sites.cavity()
    tilted = likelihood.tilted(T, shift / cavity, 1 / cavity)
    np.testing.assert_allclose(tilted.mean, sites.mean, atol=1e-7)
    np.testing.assert_allclose(tilted.var, sites.var, rtol=1e-7)
    K = KERNEL(X)
    cov = np.linalg.inv(np.linalg.inv(K) + np.diag(sites.precision))
    np.testing.assert_allclose(np.diagonal(cov), sites.var, rtol=1e-5)
    np.testing.assert_allclose(cov @ sites.shift, sites.mean, rtol=1e-4, atol=1e-6)


def test_one_row_is_exact():
    for likelihood in BOTH:
        seen = Labels(np.zeros((1, 1)), np.array([1]), 2)
        found = ExpectationPropagation(likelihood).evaluate(3.0 * RBF(1.0), seen).value
        assert found == pytest.approx(np.log(0.5), abs=1e-10)


def test_evidence_of_probit_is_an_orthant_probability():
    """With y = sign(f + noise) the evidence is the probability of an orthant."""
    few = Labels(X[:4], CODES[:4], 2)
    t = few.signs()
    cov = (KERNEL(X[:4]) + np.eye(4)) * t * t[:, None]
    exact = np.log(multivariate_normal(cov=cov, seed=0).cdf(np.zeros(4)))
    found = ExpectationPropagation(Probit()).evaluate(KERNEL, few).value
    rough = Laplace(Probit()).evaluate(KERNEL, few).value
    assert found == pytest.approx(exact, abs=2e-3)
    assert abs(found - exact) < abs(rough - exact)


@pytest.mark.parametrize("likelihood", BOTH)
def test_gradient(likelihood):
    engine = ExpectationPropagation(likelihood)

    def value(theta):
        return engine.evaluate(KERNEL.with_theta(theta), SEEN).value

    h = 1e-4
    numeric = [
        (value(KERNEL.theta + h * e) - value(KERNEL.theta - h * e)) / (2 * h) for e in np.eye(3)
    ]
    np.testing.assert_allclose(engine.evaluate(KERNEL, SEEN).gradient, numeric, rtol=1e-5)
    assert engine.extra().size == 0


def test_posterior_agrees_with_the_sites():
    engine = ExpectationPropagation(Probit())
    mean, var = engine.condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    sites = match(KERNEL(X), Probit(), T)
    np.testing.assert_allclose(mean, sites.mean, atol=1e-9)
    np.testing.assert_allclose(var, sites.var, rtol=1e-7)


def test_hard_problems_settle():
    """Wide priors and well separated classes need damping, not luck."""
    line = np.linspace(-3, 3, 20)[:, None]
    seen = Labels(line, (line[:, 0] > 0).astype(np.intp), 2)
    for likelihood in BOTH:
        found = ExpectationPropagation(likelihood).evaluate(400.0 * RBF(2.0), seen)
        assert np.isfinite(found.value)
        assert np.isfinite(found.gradient).all()
