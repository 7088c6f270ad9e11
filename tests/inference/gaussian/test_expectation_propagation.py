"""Expectation propagation: moments match, evidence against brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.core import FitError, Stop
from margin.inference import (
    LogisticLikelihood,
    ProbitLikelihood,
    expectation_propagation,
    laplace,
)
from margin.inference.gaussian import _expectation_propagation as module
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(15, 2))
T = np.where(X[:, 0] + 0.5 * RNG.normal(size=15) > 0, 1.0, -1.0)
K = (4.0 * RBF((1.0, 0.7)))(X)
BOTH = [LogisticLikelihood(), ProbitLikelihood()]


def change(value, weight):
    """The derivative of a function of the covariance in a random direction, twice."""
    A = RNG.normal(size=(15, 15))
    direction, h = A @ A.T / 15, 1e-5
    numeric = (value(K + h * direction) - value(K - h * direction)) / (2 * h)
    return float(np.sum(weight * direction)), numeric


@pytest.mark.parametrize("likelihood", BOTH)
def test_moments_match(likelihood):
    sites = expectation_propagation(K, likelihood, T).sites
    cavity, shift = sites.cavity()
    tilted = likelihood.tilted(T, shift / cavity, 1 / cavity)
    np.testing.assert_allclose(tilted.mean, sites.mean, atol=1e-7)
    np.testing.assert_allclose(tilted.var, sites.var, rtol=1e-7)
    cov = np.linalg.inv(np.linalg.inv(K) + np.diag(sites.precision))
    np.testing.assert_allclose(np.diagonal(cov), sites.var, rtol=1e-5)
    np.testing.assert_allclose(cov @ sites.shift, sites.mean, rtol=1e-4, atol=1e-6)


def test_one_row_is_exact():
    for likelihood in BOTH:
        match = expectation_propagation(np.array([[3.0]]), likelihood, np.ones(1))
        assert match.log_evidence == pytest.approx(np.log(0.5), abs=1e-10)


def test_evidence_of_probit_is_an_orthant_probability():
    """With y = sign(f + noise) the evidence is the probability of an orthant."""
    few, t = K[:4, :4], T[:4]
    cov = (few + np.eye(4)) * t * t[:, None]
    exact = np.log(multivariate_normal(cov=cov, seed=0).cdf(np.zeros(4)))
    match = expectation_propagation(few, ProbitLikelihood(), t)
    rough = laplace(few, ProbitLikelihood(), t)
    assert match.log_evidence == pytest.approx(exact, abs=2e-3)
    assert abs(match.log_evidence - exact) < abs(rough.log_evidence - exact)


@pytest.mark.parametrize("likelihood", BOTH)
def test_change_of_the_evidence_with_the_prior(likelihood):
    match = expectation_propagation(K, likelihood, T)
    slope, numeric = change(
        lambda C: expectation_propagation(C, likelihood, T).log_evidence,
        match.sites.prior_weight(),
    )
    assert slope == pytest.approx(numeric, rel=1e-5)


def test_hard_problems_settle():
    """Wide priors and well separated classes need damping, not luck."""
    line = np.linspace(-3, 3, 20)[:, None]
    wide, t = (400.0 * RBF(2.0))(line), np.where(line[:, 0] > 0, 1.0, -1.0)
    for likelihood in BOTH:
        match = expectation_propagation(wide, likelihood, t)
        assert np.isfinite(match.log_evidence)
        assert np.isfinite(match.sites.prior_weight()).all()


def test_sweeps_that_do_not_settle_are_told(monkeypatch):
    monkeypatch.setattr(module, "_STOP", Stop("change", 1e-9, 1, unit="sweep", keep="last"))
    with pytest.raises(FitError, match="propagation of mine does not settle: change 0"):
        expectation_propagation(K, ProbitLikelihood(), T, "mine")
