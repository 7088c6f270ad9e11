"""Where an exact search starts."""

from dataclasses import replace

import numpy as np
import pytest

from margin.core import FitError
from margin.gp.learning._learning import learn
from margin.gp.learning._settings import LearningSettings
from margin.gp.regression import _near_start
from margin.gp.regression._near_start import near_guess
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, White

LEARNING = LearningSettings("GP")
KERNEL = 1.0 * RBF(1.0) + White(0.1)


def seen(n=60):
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(n, 1))
    return Observations(X, np.sin(2 * X), np.full(n, 0.01), np.ones((n, 1)) / np.sqrt(n))


def test_an_exact_fit_of_many_rows_starts_near_its_end(monkeypatch):
    """The same optimum, and the start is at least as likely as the one given."""
    rng, data = np.random.default_rng(0), seen(120)
    assert near_guess(LEARNING, KERNEL, data, rng) == (LEARNING, KERNEL, "")
    plain = learn(LEARNING, KERNEL, Exact(), data, rng)
    monkeypatch.setattr(_near_start, "_MANY_ROWS", 100)
    learning, kernel, note = near_guess(LEARNING, KERNEL, data, rng)
    assert note == "search started from an exact fit to 30 rows"
    value = Exact().evaluate(kernel, data).value
    assert value > Exact().evaluate(KERNEL, data).value
    found = learn(learning, kernel, Exact(), data, rng)
    assert found.solution.objective == pytest.approx(plain.solution.objective, abs=1e-6)
    assert found.solution.n_iter <= plain.solution.n_iter
    fixed = replace(LEARNING, optimizer=None)
    assert near_guess(fixed, KERNEL, data, rng) == (fixed, KERNEL, "")


def test_a_bound_reached_by_a_part_is_not_a_start(monkeypatch):
    """Targets without noise drive its variance to the bound: it stays as given."""
    monkeypatch.setattr(_near_start, "_MANY_ROWS", 100)
    data, rng = seen(120), np.random.default_rng(0)
    clean = replace(data, noise=np.full(120, 1e-8))
    _, kernel, _ = near_guess(LEARNING, KERNEL, clean, rng)
    low, high = kernel.bounds.T
    assert (kernel.theta > low).all()
    assert (kernel.theta < high).all()


def test_where_a_part_breaks_down_the_start_stays(monkeypatch):
    def broken(*_):
        raise FitError("no")

    monkeypatch.setattr(_near_start, "_MANY_ROWS", 100)
    monkeypatch.setattr(_near_start, "learn", broken)
    unchanged = LEARNING, KERNEL, ""
    assert near_guess(LEARNING, KERNEL, seen(120), np.random.default_rng(0)) == unchanged
