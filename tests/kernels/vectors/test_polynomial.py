"""The polynomial kernel (kernels.03)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.metrics.pairwise import polynomial_kernel

from margin.kernels import Linear, Polynomial
from margin.kernels.vectors._polynomial import integer_power
from margin.testing import KernelContract


class TestPolynomial(KernelContract):
    def make(self):
        return [Polynomial(1), Polynomial(2, 0.5, 2.0), Polynomial(3, 0.4, 0.0), Polynomial(4, 0.2)]


def test_golden_numbers():
    """kernels.03: x = (1, 2), x' = (3, 4), d = 2 gives 121 homogeneous and 144 with c = 1."""
    x, z = [[1.0, 2.0]], [[3.0, 4.0]]
    assert Polynomial(2, coef0=0.0)(x, z)[0, 0] == 121.0
    assert Polynomial(2, coef0=1.0)(x, z)[0, 0] == 144.0


def test_agrees_with_scikit_learn_and_with_the_algebra():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(20, 4)), rng.normal(size=(7, 4))
    K = Polynomial(5, 0.3, 0.7)(X, Z)
    assert_allclose(K, polynomial_kernel(X, Z, degree=5, gamma=0.3, coef0=0.7), rtol=1e-11)
    assert_allclose(K, ((0.3 * Linear() + 0.7) ** 5)(X, Z), rtol=1e-12)
    assert_allclose(Polynomial(5, 0.3, 0.7)(sparse.csr_array(X), Z), K, rtol=1e-11)


def test_the_constant_is_free_unless_it_is_zero():
    assert Polynomial(2).theta_names == ("gamma", "coef0")
    assert Polynomial(2, coef0=0.0).theta_names == ("gamma",)


@pytest.mark.parametrize(
    "bad", [{"degree": 0}, {"degree": 1.5}, {"gamma": 0.0}, {"coef0": -1.0}, {"coef0": np.nan}]
)
def test_parameters_are_refused(bad):
    with pytest.raises(ValueError, match=f"Polynomial: {next(iter(bad))} must be"):
        Polynomial(**bad)


def test_integer_power_by_repeated_squaring():
    base = np.random.default_rng(1).normal(size=20)
    for exponent in range(14):
        assert_allclose(integer_power(base, exponent), base**exponent, rtol=1e-12)
