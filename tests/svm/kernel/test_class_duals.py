"""The duals of the machines, against the primal by brute force."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from margin.optim import GramMatrix
from margin.svm.kernel._class_duals import ErrorShare, SoftMargin, fill, prices
from margin.svm.kernel._dual_machine import DualSettings

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


def test_classification_is_the_hinge_loss_primal():
    """svm.03: primal with slack = dual."""
    sign = np.where(X[:, 0] + 0.8 * RNG.normal(size=12) > 0, 1.0, -1.0)
    bound = RNG.uniform(0.2, 2, size=12)
    machine = SoftMargin(1.0).train(GRAM, sign, bound, SETTING)

    def loss(v):
        return 0.5 * v[:2] @ v[:2] + bound @ np.maximum(0, 1 - sign * (X @ v[:2] + v[2]))

    assert_allclose(machine.solution.extras["optimality"].primal, primal(loss, 3), rtol=1e-5)
    w = X.T @ machine.coef
    assert_allclose(loss(np.append(w, machine.bias)), -machine.solution.objective, rtol=1e-6)


def test_share_of_errors_is_a_soft_margin_of_some_price():
    """svm.03: scaled to a margin of 1 it is the machine of C = 1 / (n rho)."""
    sign = np.where(X[:, 0] + 0.8 * RNG.normal(size=12) > 0, 1.0, -1.0)
    share = ErrorShare(0.4).train(GRAM, sign, np.ones(12), SETTING)
    price = float(share.bound[0])
    again = SoftMargin(price).train(GRAM, sign, np.ones(12), SETTING)
    assert_allclose(share.decision, again.decision, atol=1e-6)
    errors = np.mean(sign * share.decision < 1 - 1e-6)
    assert errors <= 0.4 <= np.mean(share.coef != 0) + 1e-12


def test_share_that_cannot_be_had_is_lowered():
    sign = np.array([1.0] * 2 + [-1.0] * 10)
    machine = ErrorShare(0.9).train(GRAM, sign, np.ones(12), SETTING)
    assert any("lowered nu from 0.9 to 0.333" in text for text in machine.solution.repairs)


def test_prices():
    weight = np.array([0.0, 0.5, 2.0])
    assert_array_equal(prices(3.0, weight), [0, 1.5, 6])
    assert_array_equal(prices(np.inf, weight), [0, np.inf, np.inf])


def test_fill():
    assert_array_equal(fill(np.array([2.0, 0.0, 2.0]), 3.0), [2, 0, 1])
    assert_array_equal(fill(np.ones(3), 0.0), 0)
