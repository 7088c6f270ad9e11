"""Exponentials, polynomials and Gaussians of a kernel (kernels.19, kernels.21)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import (
    RBF,
    Linear,
    Matern,
    Polynomial,
    exponential,
    gaussian,
    polynomial,
)
from margin.testing import KernelContract


class TestFunctions(KernelContract):
    def make(self):
        return [
            exponential(RBF(0.7)),
            exponential(Linear()),
            polynomial(RBF((1.0, 2.0, 3.0)), [0.5, 0.0, 2.0, 1.0]),
            polynomial(Linear(), (0.0, 1.0)),
        ]


class TestGaussianOf(KernelContract):
    stationary = True

    def make(self):
        return [gaussian(Linear(), 1.4), gaussian(Polynomial(2, 0.5), 3.0), gaussian(Matern(), 0.7)]


X = np.random.default_rng(0).normal(size=(10, 3))


def test_gaussian_of_the_linear_kernel_is_the_gaussian():
    """kernels.21"""
    assert_allclose(gaussian(Linear(), 1.4)(X), RBF(1.4)(X), rtol=1e-12)


def test_gaussian_of_explicit_features():
    features = np.stack([X[:, 0], X[:, 1] ** 2, np.sin(X[:, 2])], axis=1)
    K = features @ features.T
    squares = ((features[:, None] - features) ** 2).sum(axis=2)
    d = np.diagonal(K)
    assert_allclose(d[:, None] + d - 2 * K, squares, atol=1e-12)
    from margin.kernels import compose

    def phi(table):
        return np.stack([table[:, 0], table[:, 1] ** 2, np.sin(table[:, 2])], axis=1)

    values = gaussian(compose(Linear(), phi), 0.9)(X)
    assert_allclose(values, np.exp(-squares / (2 * 0.81)), rtol=1e-11)


def test_the_exponential_is_the_limit_of_polynomials():
    base = RBF(0.8)
    coefficients = 1.0 / np.cumprod(np.concatenate([[1.0], np.arange(1.0, 15.0)]))
    assert_allclose(polynomial(base, coefficients)(X), exponential(base)(X), rtol=1e-11)


@pytest.mark.parametrize(
    ("coefficients", "words"),
    [([1.0, -0.1], "at least 0"), ([], "finite"), ([0.0], "above 0"), ([np.nan], "finite")],
)
def test_coefficients_are_refused(coefficients, words):
    """kernels.19: a polynomial needs non-negative coefficients."""
    with pytest.raises(ValueError, match=f"PolynomialOf: coefficients must be {words}"):
        polynomial(RBF(), coefficients)


def test_other_refusals():
    with pytest.raises(ValueError, match="GaussianOf: length_scale must be a number above 0"):
        gaussian(RBF(), 0.0)
    with pytest.raises(ValueError, match="Exponentiated: kernel must be a kernel"):
        exponential("rbf")
