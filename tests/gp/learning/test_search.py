"""The search for hyper-parameters: bounds, walls, interruptions."""

import numpy as np
import pytest

from margin.core import FitError, Status
from margin.gp.learning._search import search
from margin.gp.solvers._interface import Evaluation

BOX = np.array([[-5.0, 5.0], [-5.0, 5.0]])


def bowl(centre):
    return lambda t: Evaluation(-float(np.sum((t - centre) ** 2)), -2.0 * (t - centre))


def test_interior_maximum():
    found = search(bowl(np.ones(2)), np.zeros(2), BOX, scale=1, tol=1e-8, max_iter=100)
    assert found.status is Status.CONVERGED
    np.testing.assert_allclose(found.x, 1.0, atol=1e-7)
    assert found.certificate.holds
    assert np.max(np.diff(found.trace["objective"])) <= 0
    assert found.trace["objective"][-1] == found.objective


def test_maximum_on_the_boundary_is_certified():
    found = search(bowl(np.array([9.0, 0.0])), np.zeros(2), BOX, scale=1, tol=1e-8, max_iter=100)
    assert found.status is Status.CONVERGED
    np.testing.assert_allclose(found.x, [5.0, 0.0], atol=1e-7)


def test_one_iteration_is_reported():
    def valley(t):
        x, y = t
        slope = np.array([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)])
        return Evaluation(-float((1 - x) ** 2 + 100 * (y - x**2) ** 2), -slope)

    found = search(valley, np.array([-1.0, 1.0]), BOX, scale=1, tol=1e-8, max_iter=1)
    assert found.status is Status.MAX_ITER
    assert "max_iter=1" in found.message


def test_kernels_that_break_down_are_walls():
    def half(t):
        if t[0] > 0.5:
            raise FitError("not definite")
        return bowl(np.array([0.4, 0.0]))(t)

    found = search(half, np.array([-4.0, 3.0]), BOX, scale=1, tol=1e-6, max_iter=100)
    np.testing.assert_allclose(found.x, [0.4, 0.0], atol=1e-4)


def test_a_start_that_breaks_down_is_an_error():
    def broken(t):
        raise FitError("not definite")

    with pytest.raises(FitError, match="not definite"):
        search(broken, np.zeros(2), BOX, scale=1, tol=1e-6, max_iter=10)


def test_interruption_keeps_the_best():
    calls = []

    def slow(t):
        calls.append(t)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return bowl(np.ones(2))(t)

    found = search(slow, np.zeros(2), BOX, scale=1, tol=1e-12, max_iter=100)
    assert found.status is Status.MAX_ITER
    assert "interrupted" in found.message
    assert np.isfinite(found.objective)


def test_nothing_to_search():
    found = search(
        lambda t: Evaluation(-1.0, t), np.empty(0), np.empty((0, 2)), scale=2, tol=1, max_iter=1
    )
    assert found.objective == 0.5
    assert found.status is Status.CONVERGED


def test_known_curvature_leads_to_the_same_optimum():
    """A quadratic in one step; a wrong curvature costs steps, no more; bounds hold."""
    A, b = np.array([[3.0, 1.0], [1.0, 2.0]]), np.array([1.0, -4.0])

    def bowl(t):
        return Evaluation(-float(0.5 * t @ A @ t - b @ t), -(A @ t - b))

    wide, best = np.array([[-9.0, 9.0]] * 2), np.linalg.solve(A, b)
    options = {"scale": 1, "tol": 1e-8, "max_iter": 50}
    exact = search(bowl, np.zeros(2), wide, curvature=A, **options)
    assert exact.n_iter == 1
    np.testing.assert_allclose(exact.x, best, atol=1e-8)
    for wrong in (np.eye(2), 50 * np.eye(2), np.diag([1e-3, 5.0]), -A):
        np.testing.assert_allclose(
            search(bowl, np.zeros(2), wide, curvature=wrong, **options).x, best, atol=1e-6
        )
    narrow = np.array([[-1.0, 1.0]] * 2)
    expected = search(bowl, np.zeros(2), narrow, **options).x
    found = search(bowl, np.zeros(2), narrow, curvature=A, **options)
    np.testing.assert_allclose(found.x, expected, atol=1e-6)
    assert found.status.ok


CURVED = 2.0 * np.eye(2)


def test_known_curvature_needs_one_step():
    solution = search(
        bowl(np.ones(2)), np.zeros(2), BOX, scale=1, tol=1e-8, max_iter=100, curvature=CURVED
    )
    assert solution.status is Status.CONVERGED
    assert solution.n_iter == 1
    np.testing.assert_allclose(solution.x, 1.0, atol=1e-12)


def valley(t):
    x, y = t
    slope = np.array([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)])
    return Evaluation(-float((1 - x) ** 2 + 100 * (y - x**2) ** 2), -slope)


def test_steps_by_curvature_count_and_can_be_interrupted():
    """The driver sees them: the limit holds, and Ctrl-C keeps the best of them."""
    bend = np.array([[802.0, 400.0], [400.0, 200.0]])
    start = np.array([-1.0, 1.0])
    short = search(valley, start, BOX, scale=1, tol=1e-8, max_iter=2, curvature=bend)
    assert short.status is Status.MAX_ITER
    assert short.n_iter == 2
    calls = []

    def slow(t):
        calls.append(t)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return valley(t)

    cut = search(slow, start, BOX, scale=1, tol=1e-8, max_iter=50, curvature=bend)
    assert cut.interrupted
    assert cut.objective <= 4.0
    assert cut.objective == min(-valley(t).value for t in calls[:3])
    whole = search(valley, start, BOX, scale=1, tol=1e-8, max_iter=200, curvature=bend)
    np.testing.assert_allclose(whole.x, 1.0, atol=1e-5)
