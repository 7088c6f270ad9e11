"""Proximal gradient steps, plain and accelerated (penalties.02)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.losses import Softmax, Squared
from margin.optim import FISTA, Function, LinearProblem, ProximalGradient, minimise
from margin.penalties import L1, L2, ElasticNet
from margin.testing import SolverContract


class TestProximalGradientContract(SolverContract):
    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [ProximalGradient(max_iter=20_000)]


class TestFISTAContract(SolverContract):
    def make(self):
        return [FISTA(), FISTA(tol=1e-8)]


@pytest.mark.parametrize("solver", [ProximalGradient(tol=1e-9), FISTA(tol=1e-9)])
def test_orthonormal_lasso_is_the_soft_threshold(solver):
    """penalties.02: one number per column, known in closed form."""
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(20, 5)))
    y = 3 * rng.normal(size=20)
    z = Q.T @ y
    problem = LinearProblem(Q, y, None, Squared(), L1(0.5), intercept=False)
    wanted = np.sign(z) * np.maximum(np.abs(z) - 0.5, 0)
    solution = minimise(problem, solver)
    assert_allclose(solution.x, wanted, atol=1e-8)
    assert ((solution.x == 0) == (wanted == 0)).all()


@pytest.mark.parametrize("penalty", [L1(0.02), ElasticNet(0.05, 0.5), L2(0.05)])
def test_softmax_with_every_penalty(penalty):
    """penalties.03: optimality conditions of a multi-class problem; both methods agree."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    y = (X @ rng.normal(size=(4, 3)) + rng.gumbel(size=(90, 3))).argmax(axis=1)
    problem = LinearProblem(X, y, np.full(90, 1 / 90), Softmax(), penalty, n_outputs=3)
    fast = minimise(problem, FISTA(tol=1e-8))
    slow = minimise(problem, ProximalGradient(tol=1e-7, max_iter=100_000))
    assert fast.status is Status.CONVERGED
    assert slow.status is Status.CONVERGED
    assert_allclose(fast.objective, slow.objective, rtol=1e-9)
    assert np.abs(problem.expand(fast.x).gradient).max() <= 1e-8


def test_momentum_pays_on_bad_conditions():
    """The number of steps grows as the root of the condition number, not as the number."""
    steps = {}
    for solver in (ProximalGradient(tol=1e-4, max_iter=100_000), FISTA(tol=1e-4)):
        for condition in (1e1, 1e3):
            A = np.diag(np.geomspace(1.0, condition, 20))
            bowl = Function(lambda x, A=A: (0.5 * x @ A @ x, A @ x), 20)
            steps[type(solver), condition] = minimise(bowl, solver, np.ones(20)).n_iter
    assert steps[FISTA, 1e3] < 0.3 * steps[ProximalGradient, 1e3]
    assert steps[FISTA, 1e3] < 30 * steps[FISTA, 1e1]


def test_step_length_adapts_to_the_scale():
    """Neither huge nor tiny curvature needs a hint."""
    for scale in (1e-8, 1.0, 1e8):
        bowl = Function(lambda x, s=scale: (0.5 * s * x @ x, s * x), 3)
        solution = minimise(bowl, FISTA(tol=1e-9 * scale), np.ones(3))
        assert solution.status is Status.CONVERGED
        assert_allclose(solution.x, 0.0, atol=1e-8)
