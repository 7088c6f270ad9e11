"""Laplace's method for one label per latent value (gp.12)."""

import numpy as np
import pytest
from scipy.optimize import minimize

from margin.core import FitError
from margin.inference import LogisticLikelihood, ProbitLikelihood, laplace
from margin.inference.gaussian import _laplace
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
def test_the_mode_is_the_maximum(likelihood):
    def objective(a):
        f = K @ a
        local = likelihood.local(T, f)
        return 0.5 * a @ f - local.log_prob.sum(), f - K @ local.first

    mode = laplace(K, likelihood, T)
    wanted = minimize(objective, np.zeros(15), jac=True, method="BFGS", options={"gtol": 1e-9})
    assert mode.objective == pytest.approx(-wanted.fun, rel=1e-9)
    np.testing.assert_allclose(mode.f, K @ wanted.x, atol=1e-5)
    # Stationarity with t = (y + 1) / 2: f = K (t - pi).
    np.testing.assert_allclose(mode.f, K @ mode.local.first, atol=1e-9)
    assert np.min(np.diff(mode.trace)) > -1e-10


def test_the_printed_labels_are_wrong():
    """The gradient needs t = (y + 1) / 2, not 2 y - 1."""
    mode = laplace(K, LogisticLikelihood(), T)
    prob = 1 / (1 + np.exp(-mode.f))
    np.testing.assert_allclose(mode.dual, 0.5 * (T + 1) - prob, atol=1e-9)
    assert np.abs(mode.dual - (T - prob)).max() > 0.4


@pytest.mark.parametrize("likelihood", BOTH)
def test_evidence_formula_and_its_change_with_the_prior(likelihood):
    mode = laplace(K, likelihood, T)
    W = np.diag(-mode.local.second)
    wanted = mode.local.log_prob.sum() - 0.5 * mode.f @ np.linalg.solve(K, mode.f)
    wanted -= 0.5 * np.linalg.slogdet(np.eye(15) + K @ W)[1]
    assert mode.log_evidence == pytest.approx(wanted, rel=1e-8)
    slope, numeric = change(lambda C: laplace(C, likelihood, T).log_evidence, mode.prior_weight(K))
    assert slope == pytest.approx(numeric, rel=1e-6)


def test_one_row_against_the_integral():
    """The approximation is good where the posterior is nearly normal."""
    for variance, tol in ((0.1, 2e-4), (1.0, 1e-2)):
        mode = laplace(np.array([[variance]]), LogisticLikelihood(), np.ones(1))
        assert mode.log_evidence == pytest.approx(np.log(0.5), abs=tol)


def test_a_search_without_end_is_told(monkeypatch):
    """One that is cut short names the prior; one that is nearly there serves."""
    monkeypatch.setattr(_laplace, "STOP", _laplace.Stop("residual", 1e-10, 1, keep="last"))
    with pytest.raises(FitError, match="the mode of mine was not found: residual 0"):
        laplace(K, LogisticLikelihood(), T, "mine")
    monkeypatch.setattr(_laplace, "STOP", _laplace.Stop("residual", 0.0, 12, keep="last"))
    assert laplace(K, LogisticLikelihood(), T).log_evidence < 0


def test_interruption_belongs_to_the_caller():
    """An approximation is a step of a larger search, which must hear of Ctrl-C."""

    class Interrupted(LogisticLikelihood):
        calls = 0

        def local(self, t, f):
            Interrupted.calls += 1
            if Interrupted.calls == 3:
                raise KeyboardInterrupt
            return super().local(t, f)

    with pytest.raises(KeyboardInterrupt):
        laplace(K, Interrupted(), T)


def test_a_prior_that_is_no_covariance_is_refused_by_name():
    with pytest.raises(FitError, match="kernel matrix of mine must be positive definite"):
        laplace(-9.0 * K, LogisticLikelihood(), T, "mine")
