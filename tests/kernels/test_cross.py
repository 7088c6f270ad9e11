"""Derivatives of kernels between two sets."""

import numpy as np
import pytest

from margin.kernels import RBF, Constant, Linear, Matern, Polynomial, RationalQuadratic, Spectrum
from margin.kernels._cross import joint_gradient

KERNELS = (
    RBF(0.7),
    RBF((0.7, 1.3)),
    Matern((0.7, 1.3), nu=2.5),
    2.0 * RBF(0.7) + Constant(0.4),
    0.8 * Matern((0.7, 1.3), nu=1.5),
    1.3 * RationalQuadratic((0.7, 1.3), 0.9),
    0.5 * (RBF(0.7) * Matern(1.2, nu=2.5)),
    RBF(0.7) * Matern(1.2, nu=1.5),
    (2.0 * RBF((0.7, 0.5))).fix("length_scale[1]"),
    0.3 * Polynomial(2, 1.0, 1.0) + Linear(),
)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_against_differences(kernel):
    rng = np.random.default_rng(0)
    Z, X, W = rng.normal(size=(3, 2)), rng.normal(size=(70, 2)), rng.normal(size=(3, 70))

    def value(theta, Z):
        return float(np.sum(W * kernel.with_theta(theta)(Z, X)))

    theta, points = kernel.cross_gradient(Z, X, W)
    alone, none = kernel.cross_gradient(Z, X, W, points=False)
    np.testing.assert_allclose(alone, theta, rtol=1e-12, atol=1e-12)
    assert none is None or not none.any()
    h = 1e-6
    numeric = [
        (value(kernel.theta + h * e, Z) - value(kernel.theta - h * e, Z)) / (2 * h)
        for e in np.eye(len(kernel.theta))
    ]
    np.testing.assert_allclose(theta, numeric, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(joint_gradient(kernel, Z, X, W), theta, rtol=1e-9, atol=1e-12)
    *again, total = kernel.cross_gradient_product(Z, X, W)
    np.testing.assert_array_equal(again[0], theta)
    assert total == pytest.approx(value(kernel.theta, Z), rel=1e-12)
    if points is not None:
        for i, j in np.ndindex(*Z.shape):
            up, down = Z.copy(), Z.copy()
            up[i, j] += h
            down[i, j] -= h
            slope = (value(kernel.theta, up) - value(kernel.theta, down)) / (2 * h)
            assert points[i, j] == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_kernels_that_cannot_move_points_say_so():
    args = np.zeros((1, 1)), np.ones((2, 1)), np.ones((1, 2))
    assert Linear().cross_gradient(*args)[1] is None
    assert (RBF(1.0) + Linear()).cross_gradient(*args)[1] is None


def test_objects_that_are_no_table():
    """A list of words: the constant beside the kernel knows its derivative, and nothing moves."""
    kernel = Spectrum(2) + Constant(0.5)
    theta, points = kernel.cross_gradient(["ab", "ba"], ["aab"], np.array([[1.0], [3.0]]))
    np.testing.assert_allclose(theta, [0.5 * 4.0])
    assert points is None
