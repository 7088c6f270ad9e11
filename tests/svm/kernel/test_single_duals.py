"""Tubes and regions, against the primal by brute force."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from margin.optim import GramMatrix
from margin.svm import OneClassSVM
from margin.svm.kernel._dual_machine import DualSettings
from margin.svm.kernel._single_duals import FoundTube, GivenTube, HalfSpace

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 2))
GRAM = GramMatrix(X @ X.T)
SETTING = DualSettings(tol=1e-9)


def primal(loss, size):
    first = minimize(
        loss,
        np.zeros(size),
        method="Nelder-Mead",
        options={"maxiter": 40_000, "xatol": 1e-10, "fatol": 1e-12},
    )
    again = minimize(
        loss,
        first.x,
        method="Nelder-Mead",
        options={"maxiter": 40_000, "xatol": 1e-11, "fatol": 1e-13},
    )
    return again.fun


def test_regression_is_the_tube_loss_primal():
    """svm.15."""
    y = X @ [1.0, -1.0] + 0.5 * RNG.normal(size=12)
    machine = GivenTube(1.0, 0.2).train(GRAM, y, np.ones(12), SETTING).machine

    def loss(v):
        return 0.5 * v[:2] @ v[:2] + np.maximum(0, np.abs(y - X @ v[:2] - v[2]) - 0.2).sum()

    w = X.T @ machine.coef
    assert_allclose(loss(np.append(w, machine.bias)), primal(loss, 3), rtol=1e-5)
    assert_allclose(loss(np.append(w, machine.bias)), -machine.solution.objective, rtol=1e-6)


def test_the_width_that_is_found_gives_the_same_machine():
    """svm.15: with the width it finds, a given tube is the same; the share is kept."""
    y = X @ [1.0, -1.0] + 0.5 * RNG.normal(size=12)
    tube = FoundTube(1.0, 0.5).train(GRAM, y, np.ones(12), SETTING)
    given = GivenTube(1.0, tube.epsilon).train(GRAM, y, np.ones(12), SETTING)
    assert_allclose(given.machine.decision, tube.machine.decision, atol=1e-6)
    assert np.mean(tube.margin < 1 - 1e-6) <= 0.5 <= np.mean(tube.machine.coef != 0)


def test_one_class_has_its_sum():
    region = HalfSpace(0.25).train(GramMatrix(np.exp(X @ X.T)), None, np.ones(12), SETTING)
    assert_allclose(region.machine.coef.sum(), 3)
    assert (region.machine.decision < -1e-7).sum() <= 3
    on_border = (region.machine.coef > 0) & (region.machine.coef < 1)
    assert (region.machine.decision[on_border] >= 0).all()


def test_a_function_of_zeros_has_all_rows_on_its_border():
    rows = np.array([[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]])
    model = OneClassSVM(kernel="poly", gamma=1).fit(rows)
    assert (model.predict(np.vstack([rows, [[2, 2], [3, 2]]])) == 1).all()
