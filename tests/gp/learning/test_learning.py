"""Restarts, foreign optimisers, fixed kernels."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.learning._learning import learn
from margin.gp.learning._settings import LearningSettings
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, White

KERNEL = 1.0 * RBF(1.0) + White(0.1)


def settings(**changes):
    return LearningSettings("GP", **{"max_iter": 100, **changes})


@pytest.fixture
def seen():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(30, 1))
    y = np.sin(2 * X) + 0.1 * rng.normal(size=(30, 1))
    return Observations(X, y, np.zeros(30), np.empty((30, 0)))


def test_no_search_keeps_the_kernel(seen):
    learned = learn(settings(optimizer=None), KERNEL, Exact(), seen, np.random.default_rng(0))
    assert learned.kernel == KERNEL
    assert learned.solution.n_iter == 0
    value = Exact().evaluate(KERNEL, seen).value
    assert learned.solution.objective == pytest.approx(-value / 30)


def test_search_raises_the_likelihood_and_stops_at_a_stationary_point(seen):
    learned = learn(settings(), KERNEL, Exact(), seen, np.random.default_rng(0))
    at = Exact().evaluate(learned.kernel, seen)
    assert at.value > Exact().evaluate(KERNEL, seen).value
    assert np.abs(at.gradient).max() / 30 < 1e-4


def test_restarts_escape_a_poor_start(seen):
    poor = (1.0 * RBF(80.0) + White(50.0)).bound(**{"k1.length_scale": (1e-2, 1e2)})
    alone = learn(settings(), poor, Exact(), seen, np.random.default_rng(0))
    many = learn(settings(restarts=4), poor, Exact(), seen, np.random.default_rng(0))
    assert many.solution.objective <= alone.solution.objective
    assert "each start" in many.notes[0]
    again = learn(settings(restarts=4), poor, Exact(), seen, np.random.default_rng(0))
    np.testing.assert_array_equal(again.solution.x, many.solution.x)


def test_an_optimiser_of_the_users(seen):
    def shrink(objective, start, bounds):
        value, gradient = objective(start)
        assert objective(start, eval_gradient=False) == value
        assert gradient.shape == start.shape == bounds[:, 0].shape
        return start - 0.1, value

    learned = learn(settings(optimizer=shrink), KERNEL, Exact(), seen, np.random.default_rng(0))
    np.testing.assert_allclose(learned.kernel.theta, KERNEL.theta - 0.1)
    assert "shrink" in learned.solution.solver


def test_a_start_outside_the_bounds_widens_them(seen):
    wide = RBF(1e7) + White(0.1)
    learned = learn(settings(max_iter=1), wide, Exact(), seen, np.random.default_rng(0))
    assert np.isfinite(learned.solution.objective)


def test_an_interruption_ends_all_starts_and_keeps_the_best(seen):
    calls = []

    class Interrupted(Exact):
        def evaluate(self, kernel, seen, *, gradient=True):
            calls.append(kernel)
            if len(calls) == 60:
                raise KeyboardInterrupt
            return super().evaluate(kernel, seen, gradient=gradient)

    rng = np.random.default_rng(0)
    learned = learn(settings(restarts=50), KERNEL, Interrupted(), seen, rng)
    assert len(calls) == 60
    assert learned.solution.interrupted
    assert "interrupted" in learned.solution.message
    alone = learn(settings(), KERNEL, Exact(), seen, np.random.default_rng(0))
    assert learned.solution.objective <= alone.solution.objective


def test_restarts_search_the_whole_box():
    """A start in a bad basin, more than a factor of 100 away from the good one."""
    rng = np.random.default_rng(0)
    X = np.linspace(0, 10, 30)[:, None]
    y = np.sin(X[:, 0]) + 0.05 * rng.normal(size=30)
    good = GaussianProcessRegressor(1.0 * RBF(1.0) + White(0.1)).fit(X, y)
    bad = 1.0 * RBF(3e4) + White(0.1)
    stuck = GaussianProcessRegressor(bad).fit(X, y)
    freed = GaussianProcessRegressor(bad, n_restarts_optimizer=8, random_state=0).fit(X, y)
    best = good.log_marginal_likelihood_value_
    assert stuck.log_marginal_likelihood_value_ < best - 20
    assert freed.log_marginal_likelihood_value_ == pytest.approx(best, abs=1e-3)
