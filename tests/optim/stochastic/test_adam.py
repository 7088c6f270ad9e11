"""Adaptive step lengths (optim.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import losses, optim, penalties
from margin.core import Status
from margin.optim import Adam, LinearProblem, PowerDecay, minimise
from margin.testing import SolverContract


class TestAdamContract(SolverContract):
    monotone = False
    conditions = (1.0, 10.0)

    def make(self):
        return [Adam(tol=1e-3, max_iter=10_000, batch=None)]


def problem(scale=1.0):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(float)
    units = np.array([1.0, scale, 1.0 / scale])
    share = np.full(60, 1 / 60)
    return LinearProblem(X * units, y, share, losses.Logistic(), penalties.Zero()), units


def test_whole_batches_follow_the_recursion():
    """optim.17: running moments, corrected for their youth."""
    whole, _ = problem()
    u = q = x = np.zeros(4)
    solution = minimise(whole, Adam(batch=None, max_iter=30, tol=1e-12), trace=True)
    for t in range(1, 31):
        f = whole.expand(x).gradient
        u, q = 0.9 * u + 0.1 * f, 0.999 * q + 0.001 * f**2
        x = x - 0.01 * (u / (1 - 0.9**t)) / (np.sqrt(q / (1 - 0.999**t)) + 1e-8)
        assert_allclose(solution.trace["x"][t], x, rtol=1e-8)


def test_units_of_the_columns_do_not_matter():
    """optim.17: a column in other units takes the same steps, in its own units."""
    plain, _ = problem()
    scaled, units = problem(1e3)
    solver = Adam(batch=None, max_iter=50, tol=1e-12, epsilon=1e-30)
    one, two = minimise(plain, solver, trace=True), minimise(scaled, solver, trace=True)
    for a, b in zip(one.trace["x"][:2], two.trace["x"][:2], strict=True):
        assert_allclose(a, b, rtol=1e-6)
    assert units[1] == 1e3


def test_decaying_mini_batches_reach_the_minimum():
    whole, _ = problem()
    solution = minimise(whole, Adam(tol=1e-2, max_iter=2000, schedule=PowerDecay(0.1, 0.5)))
    assert solution.status is Status.CONVERGED
    best = minimise(whole, optim.Newton()).objective
    assert solution.objective - best < 2e-3


def test_bad_settings_are_refused():
    for settings, text in (
        ({"beta1": 1.0}, "Adam: beta1 must be below 1, got 1.0"),
        ({"beta2": -0.1}, "Adam: beta2 must be a number between 0 and 1"),
        ({"epsilon": 0.0}, "Adam: epsilon must be a number above 0"),
        ({"batch": 0}, "Adam: batch must be an integer of at least 1"),
    ):
        with pytest.raises(ValueError, match=text):
            Adam(**settings)
