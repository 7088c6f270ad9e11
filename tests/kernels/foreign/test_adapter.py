"""Kernels of scikit-learn called as they are."""

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk

from margin.kernels import Foreign

X = np.random.default_rng(0).normal(size=(5, 2))


def test_hyper_parameters_are_theirs():
    kernel = Foreign(sk.RBF([1.0, 2.0]) + sk.WhiteKernel(0.5, "fixed"))
    assert kernel.theta_names == ("k1__length_scale[0]", "k1__length_scale[1]")
    np.testing.assert_allclose(kernel.with_theta([0.5, 0.1]).theirs.theta, [0.5, 0.1])
    assert kernel.noisy
    assert kernel.stationary
    assert kernel.input == "vectors"
    assert str(kernel) == "RBF(length_scale=[1, 2]) + WhiteKernel(noise_level=0.5)"


def test_derivatives_are_theirs_by_difference():
    kernel = Foreign(sk.RationalQuadratic(0.8, 1.2))
    for j, matrix in enumerate(kernel.derivatives(X)):
        step = np.eye(2)[j] * 1e-6
        there = kernel.with_theta(kernel.theta + step)(X)
        back = kernel.with_theta(kernel.theta - step)(X)
        np.testing.assert_allclose(matrix, (there - back) / 2e-6, atol=1e-8)
    assert Foreign(sk.RBF(1.0, "fixed")).gradient_product(X, np.eye(5)).shape == (0,)


def test_a_kernel_of_several_matrices_is_refused():
    with pytest.raises(ValueError, match="Foreign: theirs must be a kernel of one matrix"):
        Foreign(sk.CompoundKernel([sk.RBF(), sk.RBF()]))(X)
