"""The system in the columns against the one in the rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp import KernelRidge
from margin.gp.regression._linear_ridge import solve_by_columns, suits_columns
from margin.gp.regression._ridge_solve import solve_ridge

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
def test_both_systems_have_one_answer(alpha, weighted, intercept):
    X, Y = RNG.normal(size=(40, 3)) + 1.0, RNG.normal(size=(40, 2))
    weight = RNG.integers(0, 3, 40).astype(float) if weighted else None
    mine = solve_by_columns(X, Y, weight, alpha, intercept=intercept)
    rows = solve_ridge(X @ X.T, Y, weight, alpha, "k", intercept=intercept)
    for name in ("coefficients", "intercept", "held_out", "objective"):
        assert_allclose(getattr(mine, name), getattr(rows, name), rtol=1e-7, atol=1e-9)
    assert mine.residual <= mine.tolerance


def test_only_tall_dense_tables_with_a_penalty():
    assert suits_columns(np.ones((30, 4)), 1.0)
    assert not suits_columns(np.ones((8, 4)), 1.0)
    assert not suits_columns(1e4 * np.ones((30, 4)), 1.0)
    assert not suits_columns([["a"]], 1.0)


@pytest.mark.parametrize("columns", [3, 30])
def test_the_estimator_is_the_primal_ridge(columns):
    X, y = RNG.normal(size=(50, columns)), RNG.normal(size=50)
    model = KernelRidge(alpha=2.0).fit(X, y)
    w = np.linalg.solve(X.T @ X + 2.0 * np.eye(columns), X.T @ y)
    assert_allclose(model.predict(X), X @ w, rtol=1e-9, atol=1e-11)
    rest = KernelRidge(alpha=2.0).fit(X[1:], y[1:])
    assert model.loo_prediction_[0] == pytest.approx(rest.predict(X[:1])[0])
