"""Newton's method (optim.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import Function, Newton, minimise
from margin.testing import SolverContract


class TestNewtonContract(SolverContract):
    conditions = (1.0, 10.0, 1e3, 1e6)

    def make(self):
        return [Newton(), Newton(tol=1e-4)]


@pytest.mark.parametrize("condition", [1.0, 1e3, 1e6])
@pytest.mark.parametrize("dimension", [1, 2, 30])
def test_one_step_on_a_quadratic(quadratic, dimension, condition):
    """optim.09: whatever the condition."""
    problem, best = quadratic(dimension, condition)
    solution = minimise(problem, Newton(tol=1e-6), np.full(dimension, 100.0))
    assert solution.n_iter == 1
    assert solution.trace["step_length"].tolist() == [0.0, 1.0]
    assert_allclose(solution.x, best, atol=1e-6)


def test_scalar_newton_raphson():
    """optim.09: the iterates of x <- x - f' / f'' for f = e^x - 2x, minimum at ln 2."""
    problem = Function(
        lambda x: (float(np.exp(x[0]) - 2 * x[0]), np.exp(x) - 2), 1, lambda x: np.exp(x)[:, None]
    )
    solution = minimise(problem, Newton(tol=1e-14), np.array([1.0]), trace=True)
    x, path = 1.0, [1.0]
    for _ in range(solution.n_iter):
        x -= 1 - 2 * np.exp(-x)
        path.append(x)
    assert_allclose(solution.trace["x"][:, 0], path, rtol=1e-12)
    assert_allclose(solution.x, np.log(2))


def test_convergence_is_quadratic():
    """optim.09: near the minimum the error is squared with every step."""
    problem = Function(
        lambda x: (float(np.cosh(x).sum()), np.sinh(x)), 2, lambda x: np.diag(np.cosh(x))
    )
    norms = minimise(problem, Newton(tol=1e-15), np.array([0.6, -0.4])).trace["gradient_norm"]
    inside = norms[(norms < 0.5) & (norms > 1e-12)]
    assert np.all(inside[1:] <= inside[:-1] ** 2)


def test_rosenbrock(rosenbrock):
    solution = minimise(rosenbrock, Newton(), np.array([-1.2, 1.0]))
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, 1.0, atol=1e-8)
    assert np.diff(solution.trace["objective"]).max() <= 0


def test_indefinite_hessian_is_a_failure_and_not_an_exception(rosenbrock):
    """optim.09: the status says what broke; the point reached is kept."""
    solution = minimise(rosenbrock, Newton(), np.array([0.0, 1.0]))
    assert solution.status is Status.FAILED
    assert "Hessian must be positive definite" in solution.message
    assert_allclose(solution.x, [0.0, 1.0])


def test_singular_hessian_is_mended_and_the_repair_is_recorded():
    """optim.09: a direction without curvature gets jitter, and the report says so."""
    A = np.diag([1.0, 0.0])
    problem = Function(lambda x: (0.5 * float(x @ A @ x), A @ x), 2, lambda x: A)
    solution = minimise(problem, Newton(), np.array([3.0, 5.0]))
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, [0.0, 5.0], atol=1e-8)
    assert len(solution.repairs) == 1
    assert "to the diagonal of the Hessian" in solution.repairs[0]


def test_long_steps_are_shortened():
    """optim.09: pure Newton on log cosh diverges from 2; backtracking does not."""
    problem = Function(
        lambda x: (float(np.log(np.cosh(x[0]))), np.tanh(x)),
        1,
        lambda x: (1 / np.cosh(x) ** 2)[:, None],
    )
    solution = minimise(problem, Newton(), np.array([2.0]))
    assert solution.status is Status.CONVERGED
    assert abs(solution.x[0]) < 1e-8
    assert min(solution.trace["step_length"][1:]) < 1
