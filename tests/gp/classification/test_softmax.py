"""Processes of several classes under the softmax (gp.12, gp.13)."""

import numpy as np

from margin.gp.classification._latent import Labels
from margin.gp.classification._softmax import SoftmaxLaplace
from margin.inference import softmax_laplace
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(10, 2))
CODES = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=10), [-0.5, 0.5])
SEEN = Labels(X, CODES, 3)
KERNEL = 4.0 * RBF((1.0, 0.7))


def test_gradient():
    solver = SoftmaxLaplace()

    def value(theta):
        return solver.evaluate(KERNEL.with_theta(theta), SEEN).value

    h = 1e-4
    numeric = [
        (value(KERNEL.theta + h * e) - value(KERNEL.theta - h * e)) / (2 * h) for e in np.eye(3)
    ]
    np.testing.assert_allclose(
        solver.evaluate(KERNEL, SEEN).gradient, numeric, rtol=1e-5, atol=1e-7
    )
    assert solver.extra().size == 0


def test_predictions_against_full_matrices():
    mode = softmax_laplace(KERNEL(X), CODES, 3)
    K = np.kron(np.eye(3), KERNEL(X))
    stacked = np.concatenate([np.diag(mode.prob[:, c]) for c in range(3)])
    W = np.diag(mode.prob.T.ravel()) - stacked @ stacked.T
    new = RNG.normal(size=(4, 2))
    mean, cov = SoftmaxLaplace().condition(KERNEL, SEEN).predict(KERNEL, new, KERNEL.diag(new))
    M = W @ np.linalg.inv(np.eye(30) + K @ W)
    for i in range(4):
        cross = np.kron(np.eye(3), KERNEL(new[[i]], X))
        np.testing.assert_allclose(cov[i], 4.0 * np.eye(3) - cross @ M @ cross.T, atol=1e-7)
        np.testing.assert_allclose(mean[i], cross @ mode.dual.T.ravel(), atol=1e-8)
