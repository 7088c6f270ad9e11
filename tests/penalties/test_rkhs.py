"""Norm in a reproducing-kernel Hilbert space (penalties.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Squared
from margin.optim import LinearProblem, Newton, minimise
from margin.penalties import L2, RKHS, Quadratic
from margin.testing import PenaltyContract

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 2))
GAUSS = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))


class TestRKHSContract(PenaltyContract):
    shapes = ((6,), (6, 2))

    def make(self):
        return [RKHS(GAUSS), RKHS(X @ X.T, 0.3)]


def test_linear_kernel_is_the_ridge_penalty_of_the_primal():
    """penalties.06: alpha^T K alpha = |X^T alpha|^2."""
    w = RNG.normal(size=6)
    assert_allclose(RKHS(X @ X.T, 0.4).value(w), L2(0.4).value(X.T @ w))
    assert_allclose(RKHS(X @ X.T).norm(w), np.linalg.norm(X.T @ w))
    assert_allclose(RKHS(X @ X.T).hessian_product(w, w), X @ (X.T @ w))


def test_minimiser_is_kernel_ridge():
    """penalties.06: the squared loss of K alpha plus the norm is solved by (K + lambda I)^-1 y."""
    y = RNG.normal(size=6)
    problem = LinearProblem(GAUSS, y, None, Squared(), RKHS(GAUSS, 0.5), intercept=False)
    solution = minimise(problem, Newton(1e-10))
    assert solution.status.ok
    assert_allclose(
        GAUSS @ solution.x, GAUSS @ np.linalg.solve(GAUSS + 0.5 * np.eye(6), y), atol=1e-8
    )


def test_is_not_equal_to_the_plain_form():
    assert RKHS(GAUSS) != Quadratic(GAUSS)
    assert RKHS(GAUSS) == RKHS(GAUSS.copy())


def test_bad_kernel_matrices_are_refused_by_their_own_name():
    with pytest.raises(ValueError, match="RKHS: gram must be positive semi-definite"):
        RKHS([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="RKHS: alpha must be a number of at least 0"):
        RKHS(GAUSS, -1.0)
