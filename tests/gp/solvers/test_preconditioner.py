"""Low rank plus noise against the dense matrix it stands for."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp.solvers._preconditioner import NUGGET, LowRank
from margin.kernels import RBF, Matern

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(60, 2))
D = RNG.uniform(0.05, 0.2, 60)
ROWS = np.arange(0, 60, 6)


def dense(kernel):
    Kuu, Kfu = kernel(X[ROWS]), kernel(X, X[ROWS])
    Kuu = Kuu + NUGGET * np.mean(np.diagonal(Kuu)) * np.eye(len(ROWS))
    return Kfu @ np.linalg.solve(Kuu, Kfu.T) + np.diag(D)


@pytest.mark.parametrize("kernel", [1.7 * RBF((0.8, 1.2)), Matern(1.0, nu=1.5)], ids=str)
def test_same_as_the_dense_matrix(kernel):
    """gp.05: solutions, determinant and diagonal of the inverse."""
    M, made = dense(kernel), LowRank.of(kernel, X, X[ROWS], D)
    V = RNG.normal(size=(60, 3))
    assert_allclose(made.solve(V), np.linalg.solve(M, V), rtol=1e-6, atol=1e-8)
    assert made.log_det == pytest.approx(np.linalg.slogdet(M)[1])
    assert_allclose(made.inverse_diagonal, np.diagonal(np.linalg.inv(M)), rtol=1e-6)


def test_draws_have_its_covariance():
    kernel = 1.5 * RBF(1.0)
    made = LowRank.of(kernel, X[:6], X[:3], D[:6])
    z = made.colour(RNG, 200_000)
    M = made.features @ made.features.T + np.diag(D[:6])
    assert_allclose(z @ z.T / 200_000, M, atol=0.03)


@pytest.mark.parametrize("kernel", [1.7 * RBF((0.8, 1.2)), Matern(1.0, nu=1.5)], ids=str)
def test_gradient_against_finite_differences(kernel):
    """The derivative of log det M, less that of quadratic forms with fixed vectors."""
    w = 0.1 * RNG.normal(size=(60, 4))
    theta, noise = LowRank.of(kernel, X, X[ROWS], D).gradient(w, 0.25)

    def value(at, lift=0.0):
        moved = LowRank.of(kernel.with_theta(at), X, X[ROWS], D + lift)
        M = moved.features @ moved.features.T + np.diag(D + lift)
        return moved.log_det - 0.25 * np.einsum("ij,ik,kj->", w, M, w)

    steps = 1e-5 * np.eye(len(kernel.theta))
    found = [(value(kernel.theta + s) - value(kernel.theta - s)) / 2e-5 for s in steps]
    assert_allclose(theta, found, rtol=1e-4, atol=1e-4)
    slope = (value(kernel.theta, 1e-6) - value(kernel.theta, -1e-6)) / 2e-6
    assert noise == pytest.approx(slope, rel=1e-5)
