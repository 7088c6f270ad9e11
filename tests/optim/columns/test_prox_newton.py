"""Prox-Newton descent: optimality, monotone objective, honest ends."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import expit, logit

from margin.losses import Logistic, Squared
from margin.optim.columns._newton_model import newton_model
from margin.optim.columns._prox_newton import Rows, locate, prox_newton
from margin.optim.columns._squares import Goal, Shrinkage


def data(n=150, p=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.5)
    y = (rng.random(n) < expit(X[:, 0] - X[:, 1] + 0.5)).astype(float)
    return X, y, rng.random(n) / n


def run(X, y, weight, penalty, goal, intercept=True):
    rows = Rows(Logistic(), y, weight)
    start = locate(rows, np.zeros(X.shape[1]), 0.0, np.zeros(len(y)), penalty)
    return list(prox_newton(newton_model(X, intercept=intercept), rows, start, penalty, goal))


@pytest.mark.parametrize("storage", [np.asarray, sparse.csc_array])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("penalty", [Shrinkage(0.01), Shrinkage(0.003, 0.01), Shrinkage(0.0, 0.1)])
def test_optimality_conditions(storage, intercept, penalty):
    X, y, weight = data()
    seen = run(storage(X), y, weight, penalty, Goal(violation=1e-9), intercept)
    last = seen[-1].local
    slope = weight * (expit(X @ last.w + last.b) - y)
    assert penalty.violation(last.w, X.T @ slope).max() <= 2e-9
    assert abs(slope.sum()) <= 2e-9 if intercept else last.b == 0.0
    objectives = np.array([now.local.objective for now in seen])
    assert np.diff(objectives).max() <= 1e-15
    assert np.isfinite(seen[0].violation)
    assert np.isfinite(seen[-1].violation)


def test_duality_gap_goal():
    X, y, weight = data()
    tight = run(X, y, weight, Shrinkage(0.01), Goal(gap=1e-13))[-1]
    for gap in (1e-2, 1e-5):
        found = run(X, y, weight, Shrinkage(0.01), Goal(gap=gap))[-1]
        assert found.gap <= gap
        assert found.local.objective - tight.local.objective <= found.gap


def test_positive_coefficients():
    X, y, weight = data()
    penalty = Shrinkage(0.003, 0.0, positive=True)
    last = run(X, y, weight, penalty, Goal(violation=1e-9))[-1].local
    assert last.w.min() == 0.0
    slope = X.T @ (weight * (expit(X @ last.w + last.b) - y))
    assert penalty.violation(last.w, slope).max() <= 2e-9


def test_an_unreachable_goal_ends():
    X, y, weight = data()
    seen = run(X, y, weight, Shrinkage(0.01), Goal(violation=0.0, gap=0.0))
    assert len(seen) < 100
    assert seen[-1].violation < 1e-12


def test_best_constant_score():
    """The log odds of the weighted share for the logistic loss, the mean for squares."""
    rng = np.random.default_rng(0)
    weight = rng.random(50)
    y = (rng.random(50) < 0.02 + 0.0).astype(float)
    y[0] = 1.0
    share = weight @ y / weight.sum()
    assert_allclose(Rows(Logistic(), y, weight).constant(), logit(share), rtol=1e-10)
    assert_allclose(Rows(Squared(), y, weight).constant(), share, rtol=1e-12)
    assert Rows(Logistic(), np.ones(5), np.ones(5)).constant() > 20
