"""Constraint form and penalty form (penalties.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.linear_model import Lasso

from margin.penalties import matching_strength, ridge_size

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 4)) @ RNG.normal(size=(4, 4))
Y = X @ np.array([2.0, -1.0, 0.5, 0.0]) + RNG.normal(size=30)


def ridge(strength):
    return np.linalg.solve(X.T @ X + strength * np.eye(4), X.T @ Y)


@pytest.mark.parametrize("strength", [1e-3, 0.7, 25.0, 1e4])
def test_ridge_there_and_back(strength):
    """penalties.07: t = |b_lambda|^2, and the search finds lambda again."""
    size = ridge_size(X, Y)
    assert_allclose(size(strength), np.sum(ridge(strength) ** 2), rtol=1e-9)
    assert_allclose(matching_strength(size, size(strength)), strength, rtol=1e-8)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_ridge_constraint_form_has_the_same_solution(share):
    """penalties.07: min RSS subject to sum b^2 <= t, by a general constrained solver."""
    size = ridge_size(X, Y)
    t = share * size(0.0)
    peer = minimize(
        lambda b: np.sum((Y - X @ b) ** 2),
        np.zeros(4),
        jac=lambda b: -2 * X.T @ (Y - X @ b),
        constraints={"type": "ineq", "fun": lambda b: t - b @ b, "jac": lambda b: -2 * b},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert_allclose(ridge(matching_strength(size, t)), peer.x, atol=1e-4)


def test_lasso_constraint_form_has_the_same_solution():
    """penalties.07: min RSS subject to sum |b| <= s, split into positive and negative parts."""

    def fit(strength):  # RSS + strength |b|_1 is scikit-learn's alpha = strength / (2 n)
        if strength == 0:
            return np.linalg.lstsq(X, Y)[0]
        model = Lasso(alpha=strength / 60, fit_intercept=False, tol=1e-12, max_iter=100_000)
        return model.fit(X, Y).coef_

    s = 0.6 * np.abs(fit(0.0)).sum()
    found = fit(matching_strength(lambda a: float(np.abs(fit(a)).sum()), s, tol=1e-10))
    peer = minimize(
        lambda u: np.sum((Y - X @ (u[:4] - u[4:])) ** 2),
        np.full(8, 0.01),
        bounds=[(0, None)] * 8,
        constraints={"type": "ineq", "fun": lambda u: s - u.sum()},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert_allclose(found, peer.x[:4] - peer.x[4:], atol=1e-3)
    assert_allclose(np.abs(found).sum(), s, rtol=1e-6)


def test_a_budget_that_does_not_bind_has_strength_zero():
    size = ridge_size(X, Y)
    assert matching_strength(size, 2 * size(0.0)) == 0.0


def test_rank_deficient_data_start_at_the_least_norm_solution():
    wide = np.column_stack([X, X[:, 0]])
    assert_allclose(ridge_size(wide, Y)(0.0), np.sum((np.linalg.pinv(wide) @ Y) ** 2))


def test_bad_budgets_are_refused():
    with pytest.raises(ValueError, match="matching_strength: budget must be a number above 0"):
        matching_strength(lambda a: 1.0, 0.0)
    with pytest.raises(ValueError, match="size must be falling below the budget"):
        matching_strength(lambda a: 2.0, 1.0)
