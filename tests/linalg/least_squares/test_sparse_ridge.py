"""Ridge and least squares on sparse rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.linalg import ridge
from margin.linalg.least_squares._sparse_ridge import sparse_ridge

COEF, INTERCEPT, METHOD, RANK, RESIDUAL, ITERATIONS, OBJECTIVE = range(7)


def sample(n=80, p=12, k=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random(size=(n, p)) < 0.3)
    return X, X @ rng.normal(size=(p, k)) + rng.normal(size=(n, k)) + 5.0, rng.random(n) + 0.1


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
@pytest.mark.parametrize("intercept", [False, True])
def test_agrees_with_the_dense_answer(index, dtype, alpha, intercept):
    """linear.13: zeros stay zeros, the centred matrix is never formed."""
    X, Y, s = sample(k=2)
    X = X.astype(dtype)
    matrix = sparse.csr_array(X)
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    for weight in (None, s):
        found = sparse_ridge(matrix, Y, weight, alpha, intercept, 1)
        dense = ridge(X.astype(np.float64), Y, weight, alpha, intercept=intercept)
        assert_allclose(found[COEF], dense.coef, rtol=1e-8, atol=1e-9)
        assert_allclose(found[INTERCEPT], dense.intercept, rtol=1e-8, atol=1e-9)
        assert_allclose(found[OBJECTIVE], dense.objective, rtol=1e-10)
        assert found[RANK] == dense.rank
        assert found[RESIDUAL] < 1e-10
        assert found[METHOD] == "LSMR (sparse)"
        assert found[ITERATIONS] >= 1


def test_residual_is_recomputed_from_the_data():
    X, Y, s = sample()
    found = sparse_ridge(sparse.csr_array(X), Y, s, 0.5, True, 1)
    error = X @ found[COEF] + found[INTERCEPT] - Y
    gradient = (X.T * s) @ error + 0.5 * found[COEF]
    centred = Y - np.average(Y, axis=0, weights=s)
    size = np.abs((X - np.average(X, axis=0, weights=s)).T @ (s[:, None] * centred)).max()
    assert abs(found[RESIDUAL] - np.abs(gradient).max() / size) < 1e-13


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(0)
    X = sparse.random_array((3000, 200), density=0.05, rng=rng).tocsr()
    Y = rng.normal(size=(3000, 1))
    one = sparse_ridge(X, Y, None, 1.0, True, 1)
    for n_threads in (2, 3):
        assert np.array_equal(sparse_ridge(X, Y, None, 1.0, True, n_threads)[COEF], one[COEF])


def test_columns_without_entries_get_no_coefficient():
    X, Y, _ = sample()
    X[:, 3] = 0.0
    found = sparse_ridge(sparse.csr_array(X), Y, None, 0.0, True, 1)
    assert found[COEF][3, 0] == 0.0
    assert found[RESIDUAL] < 1e-10


def test_nothing_stored_at_all():
    Y = np.array([[1.0], [3.0]])
    found = sparse_ridge(sparse.csr_array((2, 3)), Y, None, 0.0, True, 1)
    assert_allclose(found[COEF], 0.0)
    assert_allclose(found[INTERCEPT], 2.0)
    assert found[RESIDUAL] == 0.0


def test_malformed_matrices_are_refused_before_the_compiled_loops():
    X = sparse.csr_array(np.eye(3))
    X.indices = X.indices + 7
    with pytest.raises(ValueError, match="indices"):
        sparse_ridge(X, np.ones((3, 1)), None, 0.0, True, 1)
