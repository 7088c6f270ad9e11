"""Filter and smoother in C++ against the dense covariance matrix."""

import numpy as np
import pytest

from margin.kernels import Matern
from margin.native.series import state_space

RNG = np.random.default_rng(0)
N = 12
POINTS = np.sort(RNG.uniform(0, 6, N))
GAP = np.diff(POINTS, prepend=POINTS[0])
NOISE = RNG.uniform(0.05, 0.3, N)
Y = RNG.normal(size=(N, 2))
ORDER = np.array([1, 2, 3], dtype=np.int32)
SCALES = np.array([[0.7, 1.3, 0.4], [2.0, 0.9, 1.6]])


def dense(scales, noise):
    K = np.diag(noise)
    for order, variance, rate in zip(ORDER, *scales, strict=True):
        nu = order - 0.5
        K = K + variance * Matern(np.sqrt(2 * nu) / rate, nu=nu)(POINTS[:, None])
    return K


def whiten(scales=SCALES, noise=NOISE, direction=None, level=0.0):
    direction = np.zeros_like(scales) if direction is None else direction
    return state_space.whiten(ORDER, scales, direction, level, GAP, noise, Y)


def test_whitening_is_the_inverse_factor():
    found, C = whiten(), dense(SCALES, NOISE)
    np.testing.assert_allclose(found.white, np.linalg.solve(np.linalg.cholesky(C), Y), atol=1e-10)
    assert found.log_det == pytest.approx(np.linalg.slogdet(C)[1], rel=1e-11)
    pivots = np.diagonal(np.linalg.cholesky(C)) ** 2
    assert found.least == pytest.approx(pivots.min(), rel=1e-10)


def test_derivatives_against_differences():
    direction, level, h = RNG.normal(size=(2, 3)), 0.7, 1e-6
    found = whiten(direction=direction, level=level)
    up = whiten(SCALES + h * direction, NOISE + h * level)
    down = whiten(SCALES - h * direction, NOISE - h * level)
    np.testing.assert_allclose(found.slope, (up.white - down.white) / (2 * h), atol=1e-7)
    assert found.log_det_slope == pytest.approx((up.log_det - down.log_det) / (2 * h), abs=1e-6)


def test_smoother_is_the_conditional_distribution():
    marked = np.array([1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0], dtype=np.uint8)
    found = state_space.smooth(ORDER, SCALES, GAP, NOISE, marked, Y)
    K, at = dense(SCALES, np.zeros(N)), np.flatnonzero(marked)
    inverse = np.linalg.inv(dense(SCALES, NOISE)[np.ix_(at, at)])
    np.testing.assert_allclose(found.mean, K[:, at] @ inverse @ Y[at], atol=1e-10)
    var = np.diagonal(K - K[:, at] @ inverse @ K[at])
    np.testing.assert_allclose(found.var, var, atol=1e-10)
    np.testing.assert_allclose(found.solved[at], inverse @ Y[at], atol=1e-9)
    np.testing.assert_allclose(found.inverse[at], np.diagonal(inverse), rtol=1e-9)


def test_shapes_and_orders_are_checked():
    with pytest.raises(ValueError, match="order must be 1, 2 or 3"):
        state_space.whiten(np.array([4, 1, 1], dtype=np.int32), SCALES, SCALES, 0.0, GAP, NOISE, Y)
    with pytest.raises(ValueError, match="one gap and noise per row"):
        state_space.whiten(ORDER, SCALES, SCALES, 0.0, GAP[1:], NOISE, Y)
    with pytest.raises(ValueError, match="one variance and rate per part"):
        state_space.whiten(ORDER[:2], SCALES, SCALES, 0.0, GAP, NOISE, Y)
    with pytest.raises(ValueError, match="must have the shape of Y"):
        state_space.smooth(ORDER, SCALES, GAP, NOISE, np.ones(3, dtype=np.uint8), Y)
