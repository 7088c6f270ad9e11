from dataclasses import replace

import numpy as np
import pytest

from margin.core import Solution, Status, stored_rows
from margin.linear.online._sgd_fit import Task, gradient_note, solve_tasks
from margin.linear.online._sgd_settings import Settings

SETTINGS = Settings(
    loss="squared_error",
    epsilon=0.1,
    penalty="l2",
    alpha=0.01,
    l1_ratio=0.15,
    fit_intercept=True,
    learning_rate="invscaling",
    eta0=0.05,
    power_t=0.25,
    average=False,
    shuffle=True,
    n_iter_no_change=5,
)


def tasks(n_outputs=3):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 2)), rng.normal(size=(80, n_outputs))
    rows = [SETTINGS.rows(X, y, stored_rows(y, None)) for y in Y.T]
    return X, Y, [Task(r, np.zeros(3)) for r in rows]


def test_every_output_comes_near_its_minimum():
    """optim.03: against the normal equations."""
    X, Y, several = tasks()
    solutions = solve_tasks(several, SETTINGS, seed=1, max_iter=200, tol=1e-8)
    A = np.column_stack([X, np.ones(80)])
    exact = np.linalg.solve(A.T @ A / 80 + 0.01 * np.diag([1, 1, 0]), A.T @ Y / 80)
    for solution, wanted in zip(solutions, exact.T, strict=True):
        np.testing.assert_allclose(solution.x, wanted, atol=0.02)


def test_threads_change_nothing():
    _, _, several = tasks()
    one = solve_tasks(several, SETTINGS, seed=1, max_iter=5, tol=None)
    two = solve_tasks(several, replace(SETTINGS, n_threads=3), seed=1, max_iter=5, tol=None)
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.x, b.x)


def test_note_of_the_largest_gradient():
    norms = [Solution(0, Status.CONVERGED, 1, 0.0, extras={"gradient_norm": g}) for g in (1, 3)]
    assert gradient_note(norms) == ("gradient norm 3 at the coefficients",)
    kink = Solution(0, Status.CONVERGED, 1, 0.0, extras={"gradient_norm": None})
    assert gradient_note([kink]) == ()


@pytest.mark.parametrize("value", [0.0, 5.0])
def test_monitor_takes_the_place_of_the_objective(value):
    _, _, (task, *_) = tasks()
    watched = replace(task, monitor=lambda x: value)
    (solution,) = solve_tasks([watched], SETTINGS, seed=0, max_iter=100, tol=1e-3)
    assert solution.n_iter == SETTINGS.n_iter_no_change
