"""Laplace's method for several classes (gp.12)."""

import numpy as np
import pytest
from scipy.special import softmax

from margin.gp.classification._latent import Labels
from margin.gp.classification._softmax_laplace import SoftmaxLaplace, find_softmax_mode
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(10, 2))
CODES = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=10), [-0.5, 0.5])
SEEN = Labels(X, CODES, 3)
KERNEL = 4.0 * RBF((1.0, 0.7))


def dense():
    """Curvature and covariance of all classes as matrices of full size."""
    mode = find_softmax_mode(KERNEL(X), CODES, 3, "k")
    K = np.kron(np.eye(3), KERNEL(X))
    p = mode.prob.T.ravel()
    stacked = np.concatenate([np.diag(mode.prob[:, c]) for c in range(3)])
    return mode, K, np.diag(p) - stacked @ stacked.T


def test_mode_is_stationary_and_rises():
    mode, _, _ = dense()
    np.testing.assert_allclose(mode.f, KERNEL(X) @ (np.eye(3)[CODES] - mode.prob), atol=1e-8)
    np.testing.assert_allclose(mode.prob, softmax(mode.f, axis=1))
    np.testing.assert_allclose(mode.dual.sum(axis=1), 0.0, atol=1e-9)
    assert np.min(np.diff(mode.trace)) > -1e-10


def test_block_algebra_is_that_of_the_full_matrices():
    mode, K, W = dense()
    assert mode.log_det == pytest.approx(np.linalg.slogdet(np.eye(30) + K @ W)[1], rel=1e-9)
    M = W @ np.linalg.inv(np.eye(30) + K @ W)
    V = RNG.normal(size=(10, 3))
    wanted = (M @ V.T.ravel()).reshape(3, 10).T
    np.testing.assert_allclose(mode.weigh(V), wanted, atol=1e-8)


def test_gradient():
    engine = SoftmaxLaplace()

    def value(theta):
        return engine.evaluate(KERNEL.with_theta(theta), SEEN).value

    h = 1e-4
    numeric = [
        (value(KERNEL.theta + h * e) - value(KERNEL.theta - h * e)) / (2 * h) for e in np.eye(3)
    ]
    np.testing.assert_allclose(
        engine.evaluate(KERNEL, SEEN).gradient, numeric, rtol=1e-5, atol=1e-7
    )
    assert engine.extra().size == 0


def test_predictions_against_full_matrices():
    mode, K, W = dense()
    new = RNG.normal(size=(4, 2))
    mean, cov = SoftmaxLaplace().condition(KERNEL, SEEN).predict(KERNEL, new, KERNEL.diag(new))
    M = W @ np.linalg.inv(np.eye(30) + K @ W)
    for i in range(4):
        cross = np.kron(np.eye(3), KERNEL(new[[i]], X))
        np.testing.assert_allclose(cov[i], 4.0 * np.eye(3) - cross @ M @ cross.T, atol=1e-7)
        np.testing.assert_allclose(mean[i], cross @ mode.dual.T.ravel(), atol=1e-8)


def test_two_classes_are_a_logistic_of_the_difference():
    """Softmax of two functions of kernel k is the logistic of one of kernel 2k."""
    from margin.gp.classification._laplace import Laplace
    from margin.gp.classification._likelihoods import Logistic

    two = Labels(X, (CODES > 0).astype(np.intp), 2)
    soft = SoftmaxLaplace().evaluate(KERNEL, two)
    single = Laplace(Logistic()).evaluate(2.0 * KERNEL, two)
    assert soft.value == pytest.approx(single.value, rel=1e-8)
