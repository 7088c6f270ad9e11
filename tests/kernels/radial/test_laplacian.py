"""The Laplacian kernel of the city-block distance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import laplacian_kernel

from margin.kernels import Laplacian, Matern, on_columns
from margin.testing import KernelContract


class TestLaplacian(KernelContract):
    stationary = True

    def make(self):
        return [Laplacian(), Laplacian(2.5), Laplacian((0.5, 1.0, 2.0))]


def test_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(70, 5)), rng.normal(size=(9, 5))
    assert_allclose(Laplacian(4.0)(X, Z), laplacian_kernel(X, Z, gamma=0.25), rtol=1e-12)


def test_it_is_a_product_over_columns():
    X = np.random.default_rng(1).normal(size=(9, 2))
    parts = [on_columns(Matern(1.5, nu=0.5), [j]) for j in range(2)]
    assert_allclose(Laplacian(1.5)(X), (parts[0] * parts[1])(X), rtol=1e-12)


def test_wrong_number_of_length_scales():
    with pytest.raises(ValueError, match="Laplacian: length_scale must be one number or one per"):
        Laplacian((1.0, 2.0))(np.zeros((2, 3)))
