"""Explicit polynomial features (kernels.04)."""

from math import comb, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import Polynomial, PolynomialFeatures


@pytest.mark.parametrize("p", [1, 2, 4])
@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_counts_and_scalar_products(p, degree):
    """kernels.04: C(n+d-1, d) and C(n+d, d) features; their product is the kernel."""
    X = np.random.default_rng(0).normal(size=(7, p))
    homogeneous = PolynomialFeatures(p, degree, coef0=0.0)
    full = PolynomialFeatures(p, degree, gamma=0.6, coef0=1.7)
    assert homogeneous.n_features == comb(p + degree - 1, degree) == len(homogeneous.powers)
    assert full.n_features == comb(p + degree, degree) == len(full.powers)
    for features, kernel in (
        (homogeneous, Polynomial(degree, 1.0, 0.0)),
        (full, Polynomial(degree, 0.6, 1.7)),
    ):
        assert_allclose(features(X) @ features(X).T, kernel(X), rtol=1e-11, atol=1e-11)
        assert features == PolynomialFeatures.of(kernel, p)


def test_mixed_terms_have_the_root_of_two():
    """The maps of the sources lack it: (x², √2 xy, y²), and 1, √2 x, √2 y with a constant."""
    x, y = 3.0, 5.0
    monomials = PolynomialFeatures(2, 2, coef0=0.0)([[x, y]])[0]
    assert_allclose(monomials, [x * x, sqrt(2) * x * y, y * y])
    full = PolynomialFeatures(2, 2)([[x, y]])[0]
    wanted = [1, sqrt(2) * x, sqrt(2) * y, x * x, sqrt(2) * x * y, y * y]
    assert_allclose(full, wanted)


def test_precision_is_kept():
    assert PolynomialFeatures(2, 3)(np.ones((2, 2), dtype=np.float32)).dtype == np.float32


def test_refusals():
    with pytest.raises(ValueError, match="PolynomialFeatures: degree must be"):
        PolynomialFeatures(2, 0)
    with pytest.raises(ValueError, match="PolynomialFeatures: X must be of 2 columns, got 3"):
        PolynomialFeatures(2, 2)(np.zeros((1, 3)))
