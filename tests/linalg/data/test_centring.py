import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.linalg import centring_matrix, double_centred, scalar_product_matrix, scatter_matrix


@pytest.mark.parametrize("n", [1, 2, 7])
def test_centring_matrix_is_a_symmetric_projection_that_kills_constants(n):
    """linalg.07"""
    C = centring_matrix(n)
    assert_allclose(C, C.T)
    assert_allclose(C @ C, C, atol=1e-15)
    assert_allclose(C @ np.ones(n), 0, atol=1e-15)
    assert np.linalg.matrix_rank(C) == n - 1
    X = np.random.default_rng(n).normal(size=(n, 3))
    assert_allclose(C @ X, X - X.mean(axis=0), atol=1e-14)


@given(n=st.integers(1, 12), d=st.integers(1, 5), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=40)
def test_scatter_products_and_double_centring_agree_with_their_definitions(n, d, seed):
    """linalg.07: against explicit products with the centring matrix."""
    X = np.random.default_rng(seed).normal(size=(n, d)) + 3
    C = centring_matrix(n)
    assert_allclose(scatter_matrix(X), X.T @ C @ X, atol=1e-10)
    assert_allclose(scalar_product_matrix(X), C @ X @ X.T @ C, atol=1e-10)
    assert_allclose(scatter_matrix(X, centre=False), X.T @ X)
    assert_allclose(scalar_product_matrix(X, centre=False), X @ X.T)
    K = np.random.default_rng(seed).normal(size=(n, n))
    assert_allclose(double_centred(K), C @ K @ C, atol=1e-12)
    squared = np.sum((X[:, None] - X[None]) ** 2, axis=-1)
    assert_allclose(double_centred(-0.5 * squared), scalar_product_matrix(X), atol=1e-10)
    large = np.linalg.eigvalsh(scatter_matrix(X))[::-1][: min(n, d)]
    small = np.linalg.eigvalsh(scalar_product_matrix(X))[::-1][: min(n, d)]
    assert_allclose(large, small, atol=1e-9)


def test_large_means_cost_no_digits():
    X = np.random.default_rng(0).normal(size=(500, 2))
    shifted = X + 1e9
    exact = scatter_matrix(shifted - 1e9)
    assert_allclose(scatter_matrix(shifted), exact, rtol=1e-10, atol=1e-6)


def test_input_is_left_alone_and_bad_input_refused():
    X = np.ones((3, 2))
    X.flags.writeable = False
    assert_allclose(scatter_matrix(X), 0)
    with pytest.raises(ValueError, match="Gram matrix must be square"):
        double_centred(np.ones((2, 3)))
    with pytest.raises(ValueError, match="data matrix must be finite"):
        scatter_matrix([[np.nan]])
    with pytest.raises(ValueError, match="n must be an integer of at least 1, got 0"):
        centring_matrix(0)


def test_empty():
    assert scatter_matrix(np.empty((0, 2))).tolist() == [[0, 0], [0, 0]]
    assert double_centred(np.empty((0, 0))).shape == (0, 0)
