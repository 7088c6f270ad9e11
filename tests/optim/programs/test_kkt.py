"""KKT residuals (optim.22)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import nnls
from sklearn.linear_model import Lasso
from sklearn.svm import SVC

from margin.losses import Squared
from margin.optim import (
    ConstrainedProblem,
    Constraint,
    Function,
    LinearProblem,
    QuadraticProgram,
    kkt,
    solve_qp,
)
from margin.penalties import L1

RNG = np.random.default_rng(0)
BOWL = Function(lambda x: ((x[0] - 2) ** 2 + x[1] ** 2, np.array([2 * (x[0] - 2), 2 * x[1]])), 2)
DISC = ConstrainedProblem(BOWL, [Constraint(lambda x: [x @ x - 1.0], lambda x: [2 * x])])


def test_each_condition_is_measured_on_its_own():
    """optim.22: the disc, whose optimum is (1, 0) with the price 1."""
    assert kkt(DISC, [1.0, 0.0], [1.0]).worst == 0
    assert_allclose(kkt(DISC, [1.0, 0.0], [0.5]).stationarity, 1.0)
    assert_allclose(kkt(DISC, [2.0, 0.0], [0.0]).primal_feasibility, 3.0)
    negative = kkt(DISC, [1.0, 0.0], [-1.0])
    assert_allclose([negative.dual_feasibility, negative.stationarity], [1.0, 4.0])
    slack = kkt(DISC, [0.5, 0.0], [3.0])
    assert_allclose(slack.complementarity, 3.0 * 0.75)
    assert_allclose(slack.stationarity, 0.0)
    assert not slack.holds()


def test_multipliers_are_found_when_not_given():
    """optim.22: the price of the disc; none where nothing is active."""
    found = kkt(DISC, [1.0, 0.0])
    assert_allclose(found.inequality, [1.0])
    assert found.holds()
    inside = kkt(DISC, [0.5, 0.0])
    assert_allclose(inside.inequality, [0.0])
    assert_allclose(inside.stationarity, 3.0)
    # On the edge but on the wrong side no non-negative price helps.
    assert kkt(DISC, [-1.0, 0.0]).stationarity > 1.0


def test_quadratic_programs_of_any_kind():
    """optim.22: at the solution the conditions hold, next to it they do not."""
    R = RNG.normal(size=(4, 4))
    program = QuadraticProgram(
        R @ R.T, RNG.normal(size=4), A=np.ones((1, 4)), b=[1.0], lower=0.0, upper=0.6
    )
    solution = solve_qp(program, tol=1e-11)
    assert kkt(program, solution.x).holds(1e-5)
    prices = solution.extras["multipliers"]
    given = kkt(program, solution.x, np.concatenate([prices.lower, prices.upper]), prices.equality)
    assert given.holds(1e-7)
    assert not kkt(program, solution.x + np.array([0.01, -0.01, 0.0, 0.0])).holds(1e-4)


def test_as_oracle_of_non_negative_least_squares():
    X, y = RNG.normal(size=(15, 4)), RNG.normal(size=15)
    program = QuadraticProgram(X.T @ X, -X.T @ y, lower=0.0)
    assert kkt(program, nnls(X, y)[0]).holds(1e-9)
    assert not kkt(program, np.full(4, 0.3)).holds(1e-2)


def test_as_oracle_of_the_lasso():
    """optim.22: no constraints, but kinks: the least subgradient is the residual."""
    X, y = RNG.normal(size=(30, 5)), RNG.normal(size=30)
    fit = Lasso(alpha=0.1, fit_intercept=False, tol=1e-14, max_iter=100_000).fit(X, y)
    problem = LinearProblem(X, y, np.full(30, 1 / 30), Squared(), L1(0.1), intercept=False)
    assert kkt(problem, fit.coef_).holds(1e-9)
    assert kkt(problem, fit.coef_ + 0.01).worst > 1e-3


def test_as_oracle_of_the_support_vector_machine():
    """optim.22: the dual solution of scikit-learn's SVC satisfies the conditions."""
    X = RNG.normal(size=(20, 2))
    y = np.where(X[:, 0] + 0.5 * RNG.normal(size=20) > 0, 1.0, -1.0)
    model = SVC(C=2.0, kernel="linear", tol=1e-10).fit(X, y)
    a = np.zeros(20)
    a[model.support_] = np.abs(model.dual_coef_[0])
    K = (y[:, None] * X) @ (y[:, None] * X).T
    dual = QuadraticProgram(K, -np.ones(20), A=y[None], b=[0.0], lower=0.0, upper=2.0)
    assert kkt(dual, a, active=1e-8).holds(1e-5)
    a[model.support_[0]] *= 0.9
    assert not kkt(dual, a).holds(1e-3)


def test_wrong_lengths_are_refused():
    with pytest.raises(ValueError, match="inequality must be of length 1, got 2"):
        kkt(DISC, [1.0, 0.0], [1.0, 1.0])
