"""Gradient descent with momentum (optim.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import Function, GradientDescent, HeavyBall, Newton, minimise
from margin.optim.steppers._heavy_ball import shorter_length, trial_length
from margin.testing import SolverContract


def bowl(*curvatures):
    A = np.array(curvatures)
    return Function(lambda x: (0.5 * float(x @ (A * x)), A * x), len(A))


def test_two_steps_by_hand():
    """optim.06: from 1 with tau = 1/4, mu = 1/2: 1 - 1/4, then 3/4 - 3/16 - 1/8."""
    solution = minimise(bowl(1.0), HeavyBall(1e-12, 2, 0.25, 0.5), np.ones(1), trace=True)
    assert_allclose(solution.trace["x"][:, 0], [1.0, 0.75, 0.4375], atol=1e-15)
    assert solution.status is Status.MAX_ITER


def test_without_momentum_it_is_gradient_descent():
    """optim.06: mu = 0 gives the same points."""
    start = np.array([1.0, -2.0])
    plain = minimise(bowl(1.0, 5.0), GradientDescent(1e-8, 50, step_length=0.1), start, trace=True)
    rolled = minimise(bowl(1.0, 5.0), HeavyBall(1e-8, 50, 0.1, 0.0), start, trace=True)
    assert_allclose(rolled.trace["x"], plain.trace["x"], atol=1e-14)


@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.9])
def test_longest_stable_step(momentum):
    """optim.06: converges below 2 (1 + mu) / L and not above it."""
    bound = 2 * (1 + momentum) / 4.0
    below = minimise(bowl(4.0), HeavyBall(1e-6, 5000, 0.98 * bound, momentum), np.ones(1))
    above = minimise(bowl(4.0), HeavyBall(1e-6, 500, 1.02 * bound, momentum), np.ones(1))
    assert below.status is Status.CONVERGED
    assert above.status is not Status.CONVERGED


def test_default_lengths(rosenbrock, classification, quadratic):
    """optim.06: without a step length: a quadratic, a logistic model and a curved valley."""
    problem, best = quadratic(5, 100.0)
    assert_allclose(minimise(problem, HeavyBall(1e-7), np.zeros(5)).x, best, atol=1e-6)
    model = classification()
    solution = minimise(model, HeavyBall(1e-7))
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, minimise(model, Newton(1e-10)).x, atol=1e-5)
    valley = minimise(rosenbrock, HeavyBall(1e-5), np.array([-1.2, 1.0]))
    assert valley.status is Status.CONVERGED
    assert_allclose(valley.x, [1, 1], atol=1e-4)


def test_lengths_from_the_curvature_met():
    """optim.06: the inverse curvature along the gradient; never longer than before."""
    problem, x = bowl(3.0, 3.0), np.array([1.0, 2.0])
    local = problem.expand(x)
    assert_allclose(trial_length(problem, x, local), 1 / 3, rtol=1e-6)
    there = problem.expand(-x)
    assert_allclose(shorter_length(x, local, -x, there, 10.0), 1 / 3)
    assert shorter_length(x, local, -x, there, 0.1) == 0.1
    assert trial_length(problem, 0 * x, problem.expand(0 * x)) == 1.0
    with pytest.raises(ValueError, match="HeavyBall: momentum must be below 1"):
        HeavyBall(momentum=1.0)


class TestHeavyBallContract(SolverContract):
    """optim.06: everything a solver promises."""

    monotone = False
    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [HeavyBall(), HeavyBall(step_length=0.01, momentum=0.8)]
