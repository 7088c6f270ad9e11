"""Kernel machines as box duals."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from margin.optim import SMO, GramMatrix, Machine, soft_margin, tube

RNG = np.random.default_rng(2)
X = RNG.normal(size=(12, 2))
K = X @ X.T


def primal(losses):
    """Least value of half the squared norm plus losses of the scores, by a general solver."""

    def value(w):
        return 0.5 * w[:2] @ w[:2] + losses(X @ w[:2] + w[2])

    starts = [np.zeros(3), *RNG.normal(size=(5, 3))]
    options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 20_000, "maxfev": 20_000}
    return min(minimize(value, s, method="Nelder-Mead", options=options).fun for s in starts)


def test_soft_margin_is_the_dual_of_the_hinge():
    """svm.02, svm.03"""
    sign = np.where(X[:, 0] > 0, 1.0, -1.0)
    bound = RNG.uniform(0.2, 1.0, 12)
    dual = -SMO(tol=1e-9).run(soft_margin(GramMatrix(K), sign, bound)).objective
    assert_allclose(dual, primal(lambda z: bound @ np.maximum(1 - sign * z, 0)), rtol=1e-5)


def test_tube_is_the_dual_of_the_insensitive_loss():
    """svm.15"""
    y, bound = X[:, 0] + 0.3 * RNG.normal(size=12), np.full(12, 0.8)
    dual = -SMO(tol=1e-9).run(tube(GramMatrix(K), y, bound, 0.1)).objective
    assert_allclose(dual, primal(lambda z: bound @ np.maximum(np.abs(z - y) - 0.1, 0)), rtol=1e-5)


def test_the_decision_has_the_bias():
    machine = Machine(np.ones(2), 0.5, np.array([1.0, 2.0]), np.ones(2), None)
    assert_allclose(machine.decision, [1.5, 2.5])
