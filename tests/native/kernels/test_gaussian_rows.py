"""Packed Gaussian kernel rows against NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native import _native
from margin.native.kernels.gaussian_rows import GaussianColumns

RNG = np.random.default_rng(0)
TIGHT = {np.float32: 2e-6, np.float64: 2e-15}


def twin(X, Z):
    X, Z = X.astype(np.float64), Z.astype(np.float64)
    return np.exp(-0.5 * ((X[:, None] - Z[None]) ** 2).sum(axis=2))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 17, 3), (70, 333, 20), (3, 16, 0), (4, 8, 50)])
def test_rows_and_sums(dtype, shape):
    m, n, p = shape
    X, Z = RNG.normal(size=(m, p)).astype(dtype), RNG.normal(size=(n, p)).astype(dtype)
    coef = RNG.normal(size=(n, 2))
    side = GaussianColumns(Z)
    values = side.rows(X, 1)
    assert values.dtype == dtype
    assert_allclose(values, twin(X, Z), atol=TIGHT[dtype] * 5)
    assert_allclose(side.sums(X, coef, 1), twin(X, Z) @ coef, atol=TIGHT[dtype] * 20 * n)
    assert_array_equal(values, side.rows(X, 2))
    assert_array_equal(side.sums(X, coef, 1), side.sums(X, coef, 2))


def test_a_row_does_not_depend_on_its_company():
    X, Z = RNG.normal(size=(70, 4)), RNG.normal(size=(55, 4))
    side, coef = GaussianColumns(Z), RNG.normal(size=(55, 1))
    whole = side.sums(X, coef, 1)
    for at in (0, 3, 69):
        assert_array_equal(side.sums(X[at : at + 1], coef, 1), whole[at : at + 1])


def test_far_and_equal_points():
    side = GaussianColumns(np.array([[0.0], [1e3]]))
    assert_array_equal(side.rows(np.array([[0.0], [1e3]]), 1), np.eye(2))
    assert side.rows(np.empty((0, 1)), 1).shape == (0, 2)
    assert side.sums(np.empty((0, 1)), np.ones((2, 1)), 1).shape == (0, 1)


def test_shapes_are_guarded():
    side = GaussianColumns(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="shape"):
        side.rows(np.zeros((2, 3)), 1)
    with pytest.raises(ValueError, match="shape"):
        _native.gaussian_rows(
            np.zeros((1, 2)), np.zeros(1), np.zeros(16), np.zeros(8), np.zeros((2, 8)), 1
        )
