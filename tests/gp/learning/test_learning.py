"""Restarts, foreign optimisers, fixed kernels."""

from types import SimpleNamespace

import numpy as np
import pytest

from margin.gp.learning._learning import check_search, learn
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._solver import Observations
from margin.kernels import RBF, White

KERNEL = 1.0 * RBF(1.0) + White(0.1)


def owner(**changes):
    usual = {
        "optimizer": "fmin_l_bfgs_b",
        "n_restarts_optimizer": 0,
        "tol": 1e-5,
        "max_iter": 100,
    }
    return SimpleNamespace(**{**usual, **changes})


@pytest.fixture
def seen():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(30, 1))
    y = np.sin(2 * X) + 0.1 * rng.normal(size=(30, 1))
    return Observations(X, y, np.zeros(30), np.empty((30, 0)))


def test_no_search_keeps_the_kernel(seen):
    found = learn(owner(optimizer=None), KERNEL, Exact(), seen, np.random.default_rng(0))
    assert found.kernel == KERNEL
    assert found.solution.n_iter == 0
    value = Exact().evaluate(KERNEL, seen).value
    assert found.solution.objective == pytest.approx(-value / 30)


def test_search_raises_the_likelihood_and_stops_at_a_stationary_point(seen):
    found = learn(owner(), KERNEL, Exact(), seen, np.random.default_rng(0))
    at = Exact().evaluate(found.kernel, seen)
    assert at.value > Exact().evaluate(KERNEL, seen).value
    assert np.abs(at.gradient).max() / 30 < 1e-4


def test_restarts_escape_a_poor_start(seen):
    poor = (1.0 * RBF(80.0) + White(50.0)).bound(**{"k1.length_scale": (1e-2, 1e2)})
    alone = learn(owner(), poor, Exact(), seen, np.random.default_rng(0))
    many = learn(owner(n_restarts_optimizer=4), poor, Exact(), seen, np.random.default_rng(0))
    assert many.solution.objective <= alone.solution.objective
    assert "each start" in many.notes[0]
    again = learn(owner(n_restarts_optimizer=4), poor, Exact(), seen, np.random.default_rng(0))
    np.testing.assert_array_equal(again.solution.x, many.solution.x)


def test_an_optimiser_of_the_users(seen):
    def shrink(objective, start, bounds):
        value, gradient = objective(start)
        assert objective(start, eval_gradient=False) == value
        assert gradient.shape == start.shape == bounds[:, 0].shape
        return start - 0.1, value

    found = learn(owner(optimizer=shrink), KERNEL, Exact(), seen, np.random.default_rng(0))
    np.testing.assert_allclose(found.kernel.theta, KERNEL.theta - 0.1)
    assert "shrink" in found.solution.solver


def test_a_start_outside_the_bounds_widens_them(seen):
    wide = RBF(1e7) + White(0.1)
    found = learn(owner(max_iter=1), wide, Exact(), seen, np.random.default_rng(0))
    assert np.isfinite(found.solution.objective)


@pytest.mark.parametrize(
    ("name", "value"), [("optimizer", "adam"), ("n_restarts_optimizer", -1), ("tol", 0.0)]
)
def test_bad_parameters(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        check_search(owner(**{name: value}))
