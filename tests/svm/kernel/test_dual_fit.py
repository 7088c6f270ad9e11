"""The duals of the machines, against the primal by brute force."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize

from margin.optim import GramMatrix
from margin.svm import SVC
from margin.svm.kernel._dual_fit import classification, fill, nu_regression, one_class, regression

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 2))
GRAM = GramMatrix(X @ X.T)
SETTING = SVC(tol=1e-9)


def primal(loss, size):
    found = minimize(
        loss,
        np.zeros(size),
        method="Nelder-Mead",
        options={"maxiter": 40_000, "xatol": 1e-10, "fatol": 1e-12},
    )
    again = minimize(
        loss,
        found.x,
        method="Nelder-Mead",
        options={"maxiter": 40_000, "xatol": 1e-11, "fatol": 1e-13},
    )
    return again.fun


def test_classification_is_the_hinge_loss_primal():
    """svm.03: primal with slack = dual."""
    sign = np.where(X[:, 0] + 0.8 * RNG.normal(size=12) > 0, 1.0, -1.0)
    bound = RNG.uniform(0.2, 2, size=12)
    made = classification(GRAM, sign, bound, SETTING, 1)

    def loss(v):
        return 0.5 * v[:2] @ v[:2] + bound @ np.maximum(0, 1 - sign * (X @ v[:2] + v[2]))

    assert_allclose(made.solution.extras["optimality"].primal, primal(loss, 3), rtol=1e-5)
    w = X.T @ made.coef
    assert_allclose(loss(np.append(w, made.bias)), -made.solution.objective, rtol=1e-6)


def test_regression_is_the_tube_loss_primal():
    """svm.15."""
    y = X @ [1.0, -1.0] + 0.5 * RNG.normal(size=12)
    bound = np.ones(12)
    made = regression(GRAM, y, bound, 0.2, SETTING, 1)

    def loss(v):
        return 0.5 * v[:2] @ v[:2] + np.maximum(0, np.abs(y - X @ v[:2] - v[2]) - 0.2).sum()

    w = X.T @ made.coef
    assert_allclose(loss(np.append(w, made.bias)), primal(loss, 3), rtol=1e-5)
    nu, width = nu_regression(GRAM, y, bound, 0.5, SETTING, 1)
    again = regression(GRAM, y, bound, width, SETTING, 1)
    assert_allclose(again.decision, nu.decision, atol=1e-6)


def test_one_class_has_its_sum():
    made = one_class(GramMatrix(np.exp(X @ X.T)), np.ones(12), 0.25, SETTING, 1)
    assert_allclose(made.coef.sum(), 3)
    assert (made.decision < -1e-7).sum() <= 3


def test_fill():
    assert_array_equal(fill(np.array([2.0, 0.0, 2.0]), 3.0), [2, 0, 1])
    assert_array_equal(fill(np.ones(3), 0.0), 0)
