"""Iteratively reweighted least squares (linear.33)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from margin.core import Status
from margin.losses import Exponential, Huber, Logistic, Poisson, Softmax, Squared, Tukey
from margin.optim import IRLS, Function, LinearProblem, Newton, minimise
from margin.penalties import L1, L2, Quadratic, Zero
from margin.testing import SolverContract

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
LABEL = (X @ [1.0, -1.0, 0.5] + RNG.logistic(size=80) > 0).astype(float)


class TestIRLSContract(SolverContract):
    def make(self):
        return [IRLS()]


def test_step_is_the_weighted_ridge_solution_of_the_text():
    """linear.33: b <- (I + X^T W X)^-1 X^T W Z with Z = X b + Y / sigma(Y X b)."""
    lam, n = 7.0, len(X)
    problem = LinearProblem(X, LABEL, np.full(n, lam / n), Logistic(), L2(1.0), intercept=False)
    b = 0.1 * RNG.normal(size=3)
    sign = 2 * LABEL - 1
    W = lam / n * expit(X @ b) * expit(-X @ b)
    Z = X @ b + sign / expit(sign * (X @ b))
    wanted = np.linalg.solve(np.eye(3) + (X.T * W) @ X, X.T @ (W * Z))
    solver = IRLS()
    assert_allclose(solver.step(problem, solver.init(problem, b)).x, wanted, rtol=1e-10)


@pytest.mark.parametrize("loss", [Logistic(), Poisson(), Exponential()])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_equals_newton_for_canonical_links(loss, storage):
    """linear.33: the same path, step for step, dense or sparse, with a free intercept."""
    omega = np.diag([1.0, 2.0, 3.0]) + 0.2
    for penalty in (L2(0.3), Quadratic(omega, 0.2)):
        problem = LinearProblem(storage(X), LABEL, RNG.random(80), loss, penalty)
        ours = minimise(problem, IRLS(1e-9), trace=True)
        newton = minimise(problem, Newton(1e-9), trace=True)
        assert ours.status is Status.CONVERGED
        assert ours.n_iter == newton.n_iter <= 12
        assert_allclose(ours.trace["x"], newton.trace["x"], atol=1e-6)


@pytest.mark.parametrize("loss", [Huber(0.5), Tukey(3.0)])
def test_robust_regression_never_rises_and_ends_at_a_minimum(loss):
    """linear.33: weights psi(r) / r; outliers hardly move the fit."""
    y = X @ [1.0, 2.0, -1.0] + 0.1 * RNG.normal(size=80)
    y[:8] += 100.0
    problem = LinearProblem(X, y, None, loss, Zero())
    start = minimise(LinearProblem(X, y, None, Huber(0.5), Zero()), IRLS()).x
    solution = minimise(problem, IRLS(1e-8, 500), start)
    assert solution.status is Status.CONVERGED
    rises = np.diff(solution.trace["objective"])
    assert rises.max(initial=-1.0) <= 1e-10
    assert_allclose(solution.x[:3], [1.0, 2.0, -1.0], atol=0.15)
    peer = minimize(
        lambda x: (problem.expand(x).value, problem.expand(x).gradient), start, jac=True
    )
    assert solution.objective <= peer.fun + 1e-8


def test_squared_loss_takes_one_step():
    problem = LinearProblem(X, X @ np.ones(3), None, Squared(), Zero())
    assert minimise(problem, IRLS()).n_iter == 1


def test_rank_deficient_data_are_no_obstacle():
    """linear.33: the least-squares solver takes what normal equations could not."""
    twice = np.column_stack([X, X[:, 0]])
    problem = LinearProblem(twice, LABEL, None, Logistic(), Zero())
    one = minimise(LinearProblem(X, LABEL, None, Logistic(), Zero()), IRLS(1e-8))
    two = minimise(problem, IRLS(1e-8))
    assert two.status is Status.CONVERGED
    assert_allclose(two.objective, one.objective, rtol=1e-10)


def test_wrong_problems_are_refused_before_any_work():
    codes = RNG.integers(3, size=80)
    with pytest.raises(ValueError, match="IRLS: problem must be a LinearProblem of one output"):
        minimise(LinearProblem(X, codes, None, Softmax(), L2(1.0), n_outputs=3), IRLS())
    with pytest.raises(ValueError, match="IRLS: problem must provide gradient"):
        minimise(LinearProblem(X, LABEL, None, Logistic(), L1(1.0)), IRLS())
    with pytest.raises(ValueError, match="IRLS: problem must provide hessian_product, rows"):
        minimise(Function(lambda x: (0.0, x), 2), IRLS())
