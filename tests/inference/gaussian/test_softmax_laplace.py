"""Laplace's method for several classes (gp.12)."""

import numpy as np
import pytest
from scipy.special import softmax

from margin.inference import LogisticLikelihood, laplace, softmax_laplace
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(10, 2))
CODES = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=10), [-0.5, 0.5])
K = (4.0 * RBF((1.0, 0.7)))(X)


def dense():
    """Curvature and covariance of all classes as matrices of full size."""
    mode = softmax_laplace(K, CODES, 3)
    p = mode.prob.T.ravel()
    stacked = np.concatenate([np.diag(mode.prob[:, c]) for c in range(3)])
    return mode, np.kron(np.eye(3), K), np.diag(p) - stacked @ stacked.T


def test_mode_is_stationary_and_rises():
    mode, _, _ = dense()
    np.testing.assert_allclose(mode.f, K @ (np.eye(3)[CODES] - mode.prob), atol=1e-8)
    np.testing.assert_allclose(mode.prob, softmax(mode.f, axis=1))
    np.testing.assert_allclose(mode.dual.sum(axis=1), 0.0, atol=1e-9)
    assert np.min(np.diff(mode.trace)) > -1e-10


def test_block_algebra_is_that_of_the_full_matrices():
    mode, whole, W = dense()
    log_det = np.linalg.slogdet(np.eye(30) + whole @ W)[1]
    assert mode.curvature.log_det == pytest.approx(log_det, rel=1e-9)
    M = W @ np.linalg.inv(np.eye(30) + whole @ W)
    V = RNG.normal(size=(10, 3))
    wanted = (M @ V.T.ravel()).reshape(3, 10).T
    np.testing.assert_allclose(mode.curvature.weigh(V), wanted, atol=1e-8)


def test_change_of_the_evidence_with_the_prior():
    A = RNG.normal(size=(10, 10))
    direction, h = A @ A.T / 10, 1e-5
    up, down = (softmax_laplace(K + s * h * direction, CODES, 3).log_evidence for s in (1, -1))
    slope = float(np.sum(softmax_laplace(K, CODES, 3).prior_weight(K) * direction))
    assert slope == pytest.approx((up - down) / (2 * h), rel=1e-5)


def test_two_classes_are_a_logistic_of_the_difference():
    """Softmax of two functions of kernel k is the logistic of one of kernel 2k."""
    codes = (CODES > 0).astype(np.intp)
    soft = softmax_laplace(K, codes, 2)
    single = laplace(2.0 * K, LogisticLikelihood(), 2.0 * codes - 1.0)
    assert soft.log_evidence == pytest.approx(single.log_evidence, rel=1e-8)
