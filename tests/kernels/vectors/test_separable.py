"""Tensor-product kernels (kernels.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, BSpline, Linear, Matern, Sinc, Triangle, on_columns

X = np.random.default_rng(0).normal(size=(14, 3))


@pytest.mark.parametrize("kernel", [Triangle, BSpline, Sinc])
def test_product_over_columns(kernel):
    """kernels.18: K = prod_j K_j(x_j, x'_j), with a length scale of its own in each column."""
    scales = (0.9, 1.7, 2.4)
    wanted = np.prod([kernel(s)(X[:, [j]]) for j, s in enumerate(scales)], axis=0)
    assert_allclose(kernel(scales)(X), wanted, atol=1e-15)


def test_only_the_gaussian_is_both_radial_and_a_tensor_product():
    def product(kernel):
        return np.prod([kernel(X[:, [j]]) for j in range(3)], axis=0)

    assert_allclose(RBF(1.3)(X), product(RBF(1.3)), rtol=1e-12)
    assert np.abs(Matern(1.3)(X) - product(Matern(1.3))).max() > 0.01


def test_kernels_on_sub_vectors():
    kernel = on_columns(RBF(1.1), [0, 2]) * on_columns(Linear(), [1])
    assert_allclose(kernel(X), RBF(1.1)(X[:, [0, 2]]) * Linear()(X[:, [1]]), rtol=1e-12)


def test_grid_matrix_is_a_kronecker_product():
    a, b = np.arange(3.0), np.arange(4.0)
    grid = np.array([(x, y) for x in a for y in b])
    wanted = np.kron(BSpline(1.5)(a[:, None]), BSpline(2.5)(b[:, None]))
    assert_allclose(BSpline((1.5, 2.5))(grid), wanted, atol=1e-15)


def test_wrong_number_of_length_scales():
    with pytest.raises(ValueError, match="Triangle: length_scale must be one number or one per"):
        Triangle((1.0, 2.0))(X)
