"""Sums and products of kernels (kernels.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import (
    RBF,
    Constant,
    Kernel,
    Linear,
    Matern,
    Polynomial,
    PolynomialFeatures,
    Product,
    Scaled,
    Sum,
    White,
    check_psd,
)
from margin.testing import KernelContract


class TestSum(KernelContract):
    def make(self):
        return [RBF(0.7) + Linear(), 2.0 * RBF((1.0, 2.0, 3.0)) + 0.5 * Matern() + 3.0]


class TestProduct(KernelContract):
    def make(self):
        return [RBF(0.7) * Linear(), RBF((1.0, 2.0, 3.0)) * Matern() * Polynomial(2, 0.3)]


X = np.random.default_rng(0).normal(size=(15, 2))


def test_a_sum_puts_features_side_by_side_and_a_product_multiplies_them():
    """kernels.19: explicit features concatenated, and their Kronecker products."""
    first, second = Polynomial(1), Polynomial(2, coef0=0.0)
    a, b = (PolynomialFeatures.of(k, 2)(X) for k in (first, second))
    side_by_side = np.hstack([a, b])
    assert_allclose((first + second)(X), side_by_side @ side_by_side.T, rtol=1e-12)
    crossed = np.einsum("ni,nj->nij", a, b).reshape(15, -1)
    assert_allclose((first * second)(X), crossed @ crossed.T, rtol=1e-12, atol=1e-14)


def test_random_compositions_are_positive_semi_definite():
    rng = np.random.default_rng(1)
    kernels = [RBF(0.8), Linear(), Matern(1.2, nu=0.5), Polynomial(2, 0.5), Constant(0.3)]
    for _ in range(25):
        compound = kernels[rng.integers(5)]
        for _ in range(3):
            other = kernels[rng.integers(5)]
            choice = rng.integers(4)
            compound = [compound + other, compound * other, 0.7 * compound, compound**2][choice]
        assert check_psd(compound, X), f"{compound}"


def test_sums_and_products_are_flattened():
    a, b, c = RBF(1.0), RBF(2.0), RBF(3.0)
    assert (a + b) + c == a + (b + c) == Sum((a, b, c))
    assert (a * b) * c == a * (b * c) == Product((a, b, c))
    assert (a + b + c).theta_names == ("k1.length_scale", "k2.length_scale", "k3.length_scale")


def test_constants():
    assert 2 * RBF() == Scaled(RBF(), 2.0) == RBF() * Constant(2.0)
    assert RBF() + 0 == RBF()
    assert sum([RBF(), White()]) == RBF() + White()
    assert_allclose((RBF() + 2)(X), RBF()(X) + 2.0)


@pytest.mark.parametrize("bad", [-1.0, "a", None, True, np.nan, np.inf, np.ones(3)])
def test_other_operands_are_refused(bad):
    for combine in (lambda: RBF() + bad, lambda: bad + RBF(), lambda: RBF() * bad):
        with pytest.raises((ValueError, TypeError)):
            combine()


def test_zero_is_no_factor():
    with pytest.raises(ValueError, match="Kernel: the other operand must be a kernel or a number"):
        0 * RBF()


def test_different_kinds_of_objects_do_not_mix():
    class Words(Constant):
        input = "strings"

    with pytest.raises(ValueError, match="Sum: parts must be kernels of the same kind of object"):
        Words() + RBF()
    assert (Words() + White()).input == "strings"
    assert isinstance(Words() * White(), Kernel)


def test_without_hyper_parameters():
    kernel = Linear() * Linear()
    assert kernel.gradient(X).shape == (0, 15, 15)
    assert kernel.gradient_product(X, np.ones((15, 15))).shape == (0,)
