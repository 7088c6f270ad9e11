"""Gradient descent (optim.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import Function, GradientDescent, minimise
from margin.testing import SolverContract


class TestGradientDescentContract(SolverContract):
    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [GradientDescent()]


class TestFixedStepContract(SolverContract):
    """A step below 1 / L lowers the objective every time, for curvatures up to 100."""

    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [GradientDescent(step_length=0.015)]


class TestWolfeContract(SolverContract):
    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [GradientDescent(step_length="wolfe")]


class TestExactContract(SolverContract):
    """optim.02: the minimum along the gradient."""

    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [GradientDescent(step_length="exact")]


class TestTaylorContract(SolverContract):
    """optim.02: the minimum of the second-order expansion along the gradient."""

    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [GradientDescent(step_length="taylor")]


def test_only_the_second_order_step_needs_the_hessian():
    """optim.02: a problem without second derivatives is refused by that rule alone."""
    plain = Function(lambda x: (0.5 * float(x @ x), x), 2)
    with pytest.raises(ValueError, match="GradientDescent: problem must provide hessian_product"):
        minimise(plain, GradientDescent(step_length="taylor"))
    for rule in ("armijo", "wolfe", "exact", 0.5):
        assert minimise(plain, GradientDescent(step_length=rule), np.ones(2)).status.ok


def bowl(largest):
    A = np.diag([1.0, largest])
    return Function(lambda x: (0.5 * float(x @ A @ x), A @ x), 2, lambda x: A)


@pytest.mark.parametrize("largest", [1.0, 4.0, 25.0])
def test_fixed_step_converges_below_two_over_the_curvature_and_diverges_above(largest):
    """optim.01: the sharp limit on a quadratic is 2 / L."""
    below = minimise(bowl(largest), GradientDescent(step_length=1.98 / largest), np.ones(2))
    assert below.status is Status.CONVERGED
    above = minimise(
        bowl(largest), GradientDescent(step_length=2.02 / largest, max_iter=200), np.ones(2)
    )
    assert above.status is Status.MAX_ITER
    growth = above.trace["gradient_norm"]
    assert growth[-1] > 10 * growth[0]
    at = minimise(bowl(largest), GradientDescent(step_length=2 / largest, max_iter=50), np.ones(2))
    assert at.status in (Status.MAX_ITER, Status.STALLED)
    assert_allclose(at.trace["gradient_norm"][-1], largest, rtol=1e-9)


def test_iterates_follow_the_closed_form():
    """optim.01: each coordinate shrinks by 1 - t lambda per step."""
    solution = minimise(
        bowl(5.0), GradientDescent(step_length=0.1, max_iter=30), np.ones(2), trace=True
    )
    k = np.arange(solution.n_iter + 1)
    assert_allclose(solution.trace["x"], np.column_stack([0.9**k, 0.5**k]), rtol=1e-10)


def test_divergence_keeps_the_best_point():
    """optim.01: the answer is the lowest point seen, not the last."""
    solution = minimise(bowl(1.0), GradientDescent(step_length=2.5, max_iter=20), np.ones(2))
    assert solution.status is Status.MAX_ITER
    assert solution.objective == solution.trace["objective"].min() == 1.0
    assert_allclose(solution.x, 1.0)


@pytest.mark.filterwarnings("ignore:overflow")
def test_overflow_is_a_failure_that_says_so():
    def expand(x):
        return 0.5 * float(x @ x), x

    solution = minimise(Function(expand, 1), GradientDescent(step_length=1e200), np.ones(1))
    assert solution.status is Status.FAILED
    assert "inf" in solution.message
    assert_allclose(solution.x, 1.0)
    assert solution.objective == 0.5


def test_armijo_needs_no_tuning():
    """optim.01: curvatures from 1e-4 to 1e4 without a step length."""
    for scale in (1e-4, 1.0, 1e4):
        problem = Function(lambda x, s=scale: (0.5 * s * float(x @ x), s * x), 3)
        solution = minimise(problem, GradientDescent(tol=1e-8 * scale), np.ones(3))
        assert solution.status is Status.CONVERGED
        assert np.abs(solution.x).max() <= 1e-8
        assert np.diff(solution.trace["objective"]).max() <= 0


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, "golden", None, True])
def test_bad_step_lengths_are_refused(bad):
    with pytest.raises(ValueError, match="GradientDescent: step_length must be a number above 0"):
        GradientDescent(step_length=bad)


@pytest.mark.parametrize("length", [0.05, 0.5])
def test_stop_by_the_length_of_the_step(length):
    """optim.01: ends at the first point where the step would be shorter than tol."""
    bowl = Function(lambda x: (0.5 * float(x @ x), x), 2)
    solver = GradientDescent(tol=1e-3, step_length=length, stop="step")
    solution = minimise(bowl, solver, np.array([3.0, 4.0]))
    # Each step multiplies the point by 1 - t, and the step at x has the length t |x|.
    steps = int(np.ceil(np.log(1e-3 / (5 * length)) / np.log(1 - length)))
    assert (solution.status, solution.n_iter) == (Status.CONVERGED, steps)
    assert solution.certificate.kind == "length of the step"
    assert_allclose(solution.certificate.value, length * np.linalg.norm(solution.x))
    assert_allclose(solution.trace["gradient_norm"][-1], np.abs(solution.x).max())


def test_short_steps_fulfil_the_textbook_rule_early():
    """optim.01: what the rule certifies depends on the step length; the gradient does not."""
    bowl = Function(lambda x: (0.5 * float(x @ x), x), 1)
    short = minimise(bowl, GradientDescent(1e-3, step_length=1e-4, stop="step"), np.ones(1))
    assert (short.n_iter, short.status) == (0, Status.CONVERGED)
    assert abs(short.x[0]) > 1e-3


@pytest.mark.parametrize("rule", ["armijo", "wolfe", "exact"])
def test_step_rule_with_line_searches(rule):
    bowl = Function(lambda x: (0.5 * float(x @ x), x), 2)
    solution = minimise(bowl, GradientDescent(1e-6, step_length=rule, stop="step"), np.ones(2))
    assert solution.status is Status.CONVERGED
    assert np.abs(solution.x).max() < 1e-5


def test_an_unknown_stop_rule_is_refused():
    with pytest.raises(ValueError, match="GradientDescent: stop must be one of 'gradient', 'step'"):
        GradientDescent(stop="never")
