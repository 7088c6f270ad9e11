"""Laplace's method for two classes (gp.12)."""

import numpy as np
import pytest
from scipy.optimize import minimize

from margin.gp.classification._laplace import Laplace, find_mode
from margin.gp.classification._latent import Labels
from margin.gp.classification._likelihoods import Logistic, Probit
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(15, 2))
CODES = (X[:, 0] + 0.5 * RNG.normal(size=15) > 0).astype(np.intp)
SEEN = Labels(X, CODES, 2)
KERNEL = 4.0 * RBF((1.0, 0.7))
T = SEEN.signs()


@pytest.mark.parametrize("likelihood", [Logistic(), Probit()])
def test_the_mode_is_the_maximum(likelihood):
    K = KERNEL(X)

    def objective(a):
        f = K @ a
        local = likelihood.local(T, f)
        return 0.5 * a @ f - local.log_prob.sum(), f - K @ local.first

    mode = find_mode(K, likelihood, T)
    wanted = minimize(objective, np.zeros(15), jac=True, method="BFGS", options={"gtol": 1e-9})
    assert mode.objective == pytest.approx(-wanted.fun, rel=1e-9)
    np.testing.assert_allclose(mode.f, K @ wanted.x, atol=1e-5)
    # Stationarity with t = (y + 1) / 2: f = K (t - pi).
    np.testing.assert_allclose(mode.f, K @ mode.local.first, atol=1e-9)
    assert np.min(np.diff(mode.trace)) > -1e-10


def test_the_printed_labels_are_wrong():
    """The gradient needs t = (y + 1) / 2, not 2 y - 1."""
    mode = find_mode(KERNEL(X), Logistic(), T)
    prob = 1 / (1 + np.exp(-mode.f))
    np.testing.assert_allclose(mode.dual, 0.5 * (T + 1) - prob, atol=1e-9)
    assert np.abs(mode.dual - (T - prob)).max() > 0.4


@pytest.mark.parametrize("likelihood", [Logistic(), Probit()])
def test_evidence_formula_and_gradient(likelihood):
    engine, K = Laplace(likelihood), KERNEL(X)
    found = engine.evaluate(KERNEL, SEEN)
    mode = find_mode(K, likelihood, T)
    W = np.diag(-mode.local.second)
    wanted = mode.local.log_prob.sum() - 0.5 * mode.f @ np.linalg.solve(K, mode.f)
    wanted -= 0.5 * np.linalg.slogdet(np.eye(15) + K @ W)[1]
    assert found.value == pytest.approx(wanted, rel=1e-8)

    def value(theta):
        return engine.evaluate(KERNEL.with_theta(theta), SEEN).value

    h = 1e-4
    numeric = [
        (value(KERNEL.theta + h * e) - value(KERNEL.theta - h * e)) / (2 * h) for e in np.eye(3)
    ]
    np.testing.assert_allclose(found.gradient, numeric, rtol=1e-6, atol=1e-7)


def test_one_row_against_the_integral():
    """The approximation is good where the posterior is nearly normal."""
    seen = Labels(np.zeros((1, 1)), np.array([1]), 2)
    for variance, tol in ((0.1, 2e-4), (1.0, 1e-2)):
        found = Laplace(Logistic()).evaluate(variance * RBF(1.0), seen).value
        assert found == pytest.approx(np.log(0.5), abs=tol)


def test_swapping_the_classes_flips_the_latent_function():
    one = Laplace(Logistic(), 1).condition(KERNEL, SEEN)
    two = Laplace(Logistic(), 0).condition(KERNEL, SEEN)
    np.testing.assert_allclose(one.dual, -two.dual, atol=1e-12)
    assert Laplace(Logistic()).extra().size == 0
