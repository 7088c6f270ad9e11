"""BFGS with a full matrix (optim.10)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import BFGS, minimise
from margin.optim.steppers._bfgs import _updated
from margin.testing import SolverContract


class TestBFGSContract(SolverContract):
    def make(self):
        return [BFGS()]


def test_update_satisfies_the_secant_condition_and_stays_positive():
    """optim.10: B y = s after every update, against the product formula."""
    rng = np.random.default_rng(0)
    A = np.diag([1.0, 3.0, 9.0]) + 0.2
    B = np.eye(3)
    for _ in range(20):
        s = rng.normal(size=3)
        y = A @ s
        rho = 1 / (s @ y)
        left = np.eye(3) - rho * np.outer(s, y)
        wanted = left @ B @ left.T + rho * np.outer(s, s)
        B = _updated(B, s, y)
        assert_allclose(B, wanted, atol=1e-12)
        assert_allclose(B @ y, s, atol=1e-10)
        assert np.linalg.eigvalsh(B).min() > 0
    assert_allclose(B, np.linalg.inv(A), atol=0.05)


def test_a_pair_without_curvature_changes_nothing():
    B = np.eye(2)
    assert _updated(B, np.array([1.0, 0.0]), np.array([-1.0, 0.0])) is B
    assert _updated(None, np.array([1.0, 0.0]), np.zeros(2)) is None


def test_curved_valley(rosenbrock):
    """optim.10: superlinear: the last gradients fall by ever larger factors."""
    solution = minimise(rosenbrock, BFGS(1e-9), np.array([-1.2, 1.0]), trace=True)
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, [1, 1], atol=1e-8)
    assert solution.n_iter < 60
    g = solution.trace["gradient_norm"]
    assert g[-1] / g[-2] < 0.1
    assert solution.trace["x"].shape == (solution.n_iter + 1, 2)


def test_logistic_regression_as_newton(classification):
    from margin.optim import Newton

    problem = classification(alpha=0.02)
    assert_allclose(minimise(problem, BFGS(1e-8)).x, minimise(problem, Newton(1e-10)).x, atol=1e-5)
