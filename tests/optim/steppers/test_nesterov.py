"""Nesterov's accelerated gradient."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import Function, GradientDescent, Nesterov, Newton, minimise
from margin.testing import SolverContract


class TestNesterovContract(SolverContract):
    def make(self):
        return [Nesterov()]


def test_steps_by_hand():
    """A rest, then t = (1 + sqrt 5)/2 and the push (t1 - 1)/t2, tau = 1/4 from 1."""
    bowl = Function(lambda x: (0.5 * float(x @ x), x), 1)
    solution = minimise(bowl, Nesterov(1e-12, 3, 0.25), np.ones(1), trace=True)
    t1 = 0.5 * (1 + np.sqrt(5))
    t2 = 0.5 * (1 + np.sqrt(1 + 4 * t1**2))
    x1 = 0.75
    x2 = 0.75 * (x1 + (t1 - 1) / t2 * (x1 - 1.0))
    t3 = 0.5 * (1 + np.sqrt(1 + 4 * t2**2))
    x3 = 0.75 * (x2 + (t2 - 1) / t3 * (x2 - x1))
    assert_allclose(solution.trace["x"][:, 0], [1.0, x1, x2, x3], atol=1e-14)


def test_error_bound(quadratic):
    """f(x_k) - f* <= 2 L |x_0 - x*|^2 / (k + 1)^2 while the step length is 1 / L."""
    problem, best = quadratic(20, 1e4)
    solution = minimise(problem, Nesterov(1e-9, 3000, 1e-4), np.zeros(20))
    value = solution.trace["objective"]
    k = np.arange(1, len(value))
    assert (value[1:] <= 2e4 * (best @ best) / (k + 1) ** 2 + 1e-12).all()
    assert (np.diff(value) <= 1e-12).all()


def test_faster_than_plain_descent_and_true(quadratic, classification):
    problem, best = quadratic(5, 1000.0)
    fast = minimise(problem, Nesterov(1e-7), np.zeros(5))
    plain = minimise(problem, GradientDescent(1e-7, 50_000, step_length=1e-3), np.zeros(5))
    assert fast.status is Status.CONVERGED
    assert fast.n_iter < plain.n_iter / 5
    assert_allclose(fast.x, best, atol=1e-6)
    model = classification()
    exact = minimise(model, Newton(1e-10)).x
    assert_allclose(minimise(model, Nesterov(1e-8)).x, exact, atol=1e-6)


def test_refusals():
    with pytest.raises(ValueError, match="Nesterov: step_length"):
        Nesterov(step_length=-1.0)
