"""Where learning starts."""

from dataclasses import replace

import numpy as np
import pytest

from margin.gp.learning._settings import LearningSettings
from margin.gp.regression import _start
from margin.gp.regression._settings import RegressionSettings
from margin.gp.regression._start import first_guess, inducing_solver, solver_of, units
from margin.gp.solvers._interface import Observations
from margin.kernels import RBF, Linear, Spectrum, White

SETTINGS = RegressionSettings("auto", None, False, LearningSettings("GP"))
KERNEL = 1.0 * RBF(1.0) + White(0.1)


def seen(n=60):
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(n, 1))
    return Observations(X, np.sin(2 * X), np.full(n, 0.01), np.ones((n, 1)) / np.sqrt(n))


def test_units_of_inducing_points():
    X = np.random.default_rng(0).normal(size=(20, 2))
    np.testing.assert_allclose(units(2.0 * RBF((1.0, 3.0)), X), [1.0, 3.0])
    np.testing.assert_allclose(units(Linear(), X), X.std(axis=0))
    np.testing.assert_allclose(units(RBF((1e-9, 1e9)), X), X.std(axis=0) * [1e-3, 1e3])


def test_a_guess_is_made_of_a_part_of_many_rows(monkeypatch):
    rng = np.random.default_rng(0)
    assert first_guess(SETTINGS.learning, KERNEL, seen(), rng) == (KERNEL, "")
    monkeypatch.setattr(_start, "_START_ROWS", 40)
    kernel, note = first_guess(SETTINGS.learning, KERNEL, seen(), rng)
    assert note == "search started from an exact fit to 40 rows"
    assert not np.allclose(kernel.theta, KERNEL.theta)
    fixed = replace(SETTINGS.learning, optimizer=None)
    assert first_guess(fixed, KERNEL, seen(), rng) == (KERNEL, "")


def test_inducing_points():
    rng = np.random.default_rng(0)
    few, note = inducing_solver(replace(SETTINGS, n_inducing=7), "fitc", KERNEL, seen(), rng)
    assert few.Z.shape == (7, 1)
    assert few.fitc
    assert "7 inducing points" in note
    every, _ = inducing_solver(SETTINGS, "variational", KERNEL, seen(), rng)
    assert every.Z.shape == (60, 1)
    words = Observations(["a", "b"], np.zeros((2, 1)), np.ones(2), np.empty((2, 0)))
    moving = replace(SETTINGS, learn_inducing=True)
    with pytest.raises(ValueError, match="GP: learn_inducing must be False for objects"):
        inducing_solver(moving, "variational", Spectrum(1), words, rng)


def test_solvers_by_name():
    assert solver_of("exact", KERNEL, seen()).name == "exact"
    assert solver_of("state-space", KERNEL, seen()).name == "state-space"
    assert solver_of("cg", KERNEL, seen()).name == "cg"
