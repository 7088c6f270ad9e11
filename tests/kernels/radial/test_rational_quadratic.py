"""Rational quadratic kernels (kernels.10)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process import kernels as peer

from margin.kernels import RBF, RationalQuadratic
from margin.testing import KernelContract


class TestRationalQuadratic(KernelContract):
    stationary = True

    def make(self):
        return [RationalQuadratic(), RationalQuadratic(2.0, 0.3), RationalQuadratic((1, 2, 3), 4.0)]


@pytest.mark.parametrize(("alpha", "value"), [(0.5, 0.707107), (1.0, 0.666667)])
def test_golden_numbers_at_one_length_scale(alpha, value):
    """kernels.10: r = rho."""
    assert_allclose(RationalQuadratic(3.0, alpha)([[0.0]], [[3.0]]), [[value]], atol=5e-7)


def test_agrees_with_scikit_learn():
    X = np.random.default_rng(0).normal(size=(25, 2))
    ours, theirs = RationalQuadratic(0.8, 1.7), peer.RationalQuadratic(0.8, 1.7)
    K, gradient = theirs(X, eval_gradient=True)
    assert_allclose(ours(X), K, rtol=1e-12)
    by_name = dict(zip(("alpha", "length_scale"), np.moveaxis(gradient, 2, 0), strict=True))
    for name, matrix in zip(ours.theta_names, ours.gradient(X), strict=True):
        assert_allclose(matrix, by_name[name], atol=1e-13)


def test_large_alpha_is_the_gaussian():
    X = np.random.default_rng(1).normal(size=(10, 3))
    assert_allclose(RationalQuadratic(1.1, 1e9)(X), RBF(1.1)(X), rtol=1e-7)


def test_it_is_a_gamma_mixture_of_gaussians():
    """The integral over precisions, by Gauss-Laguerre quadrature for alpha = 1."""
    nodes, weights = np.polynomial.laguerre.laggauss(60)
    r = 0.9
    mixed = float(np.sum(weights * np.exp(-0.5 * nodes * r * r)))
    assert_allclose(RationalQuadratic(1.0, 1.0)([[0.0]], [[r]]), [[mixed]], rtol=1e-12)


@pytest.mark.parametrize("alpha", [0.0, -2.0, np.inf, (1.0, 2.0)])
def test_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match="RationalQuadratic: alpha must be"):
        RationalQuadratic(1.0, alpha)
