"""Passes over columns against their NumPy twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.native import _native
from margin.native.columns.columns import (
    add_columns,
    add_rows,
    correlate,
    gather_columns,
    weighted_moments,
)

DTYPES = [np.float64, np.float32]


def table(n, p, dtype, order, seed=0):
    return np.asarray(np.random.default_rng(seed).normal(size=(n, p)), dtype=dtype, order=order)


def csc(n, p, dtype, index, density=0.3, seed=0):
    made = sparse.random_array((n, p), density=density, rng=np.random.default_rng(seed)).tocsc()
    made = made.astype(dtype)
    made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 5), (5, 1), (7, 3), (50, 1030), (403, 40), (1500, 1400)]
)
def test_correlate_agrees_with_numpy(dtype, order, shape):
    X = table(*shape, dtype, order)
    rng = np.random.default_rng(1)
    v, shift = rng.normal(size=shape[0]), rng.normal(size=shape[1])
    wanted = (X.astype(np.float64) - shift).T @ v
    found = [correlate(X, v, shift, n_threads) for n_threads in (1, 2, 3)]
    assert_allclose(found[0], wanted, rtol=1e-11, atol=1e-11)
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


def test_correlate_of_parts_of_a_matrix():
    """Views with one contiguous direction are read in place, others refused."""
    X = table(30, 20, np.float64, "C")
    v, zero = np.random.default_rng(1).normal(size=30), np.zeros(9)
    assert_allclose(correlate(X[:, 3:12], v, zero, 1), X[:, 3:12].T @ v, rtol=1e-12)
    assert_allclose(correlate(X.T[3:12].T, v, zero, 1), X[:, 3:12].T @ v, rtol=1e-12)
    with pytest.raises(ValueError, match="C- or Fortran-ordered"):
        correlate(X[:, 2:20:2], v, zero, 1)


def test_constant_columns_give_exactly_zero():
    """A column equal to its shift has no product with anything, whatever the rounding."""
    X = np.tile([0.1, 1e9 + 0.3], (37, 1))
    v = np.random.default_rng(0).normal(size=37)
    assert_array_equal(correlate(X, v, X[0], 1), 0.0)
    rows, mean = gather_columns(X, np.array([0, 1]), np.ones(37), True)
    assert_array_equal(rows, 0.0)
    assert_array_equal(mean, X[0])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("n", [1, 5, 100])
def test_gather_agrees_with_numpy(dtype, order, centred, n):
    X = table(n, 13, dtype, order)
    index = np.array([12, 0, 5, 5])
    root = np.sqrt(np.random.default_rng(1).random(n) + 0.1)
    rows, mean = gather_columns(X, index, root, centred)
    part = X.astype(np.float64)[:, index]
    middle = root**2 @ part / (root**2).sum() if centred else np.zeros(4)
    assert_allclose(mean, middle, rtol=1e-12, atol=1e-14)
    assert_allclose(rows, (root[:, None] * (part - middle)).T, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("size", [1, 40, 3000])
def test_moments_agree_with_numpy(dtype, index_type, size):
    rng = np.random.default_rng(0)
    matrix = csc(60, 3000, dtype, index_type)
    index = rng.integers(3000, size=size)
    h = rng.random(60)
    dense = matrix.toarray().astype(np.float64)[:, index]
    for columns in (matrix, np.ascontiguousarray(matrix.toarray().T)):
        first, second = weighted_moments(columns, index, h, 2)
        assert_allclose(first, h @ dense, rtol=1e-12, atol=1e-13)
        assert_allclose(second, h @ dense**2, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_add_columns_agrees_with_numpy(dtype, index_type):
    matrix = csc(20, 9, dtype, index_type)
    index, coef = np.array([3, 8, 0]), np.array([1.0, 0.0, -2.5])
    out = np.ones(20)
    add_columns(matrix, index, coef, out)
    assert_allclose(out, 1.0 + matrix.toarray().astype(np.float64)[:, index] @ coef, rtol=1e-12)
    add_columns(sparse.csc_array((20, 9)), index, coef, out)


def test_add_rows_agrees_with_numpy_and_skips_zeros():
    rows = np.random.default_rng(0).normal(size=(5, 9))
    rows[1] = np.nan
    coef, out = np.array([1.0, 0.0, -2.0]), np.ones(9)
    add_rows(rows, coef, out)
    assert_allclose(out, 1.0 + rows[0] - 2.0 * rows[2], rtol=1e-14)
    with pytest.raises(ValueError, match="different shape"):
        add_rows(rows, np.ones(6), out)
    with pytest.raises(ValueError, match="different shape"):
        add_rows(rows, coef, np.ones(8))


def test_refuses_arrays_that_do_not_fit():
    """No kernel reads or writes past what it was given."""
    X, matrix = np.ones((4, 3)), csc(4, 3, np.float64, np.int32)
    v, zero, ids = np.ones(4), np.zeros(3), np.array([0, 1])
    with pytest.raises(ValueError, match="different shape"):
        correlate(X, np.ones(5), zero, 1)
    with pytest.raises(ValueError, match="different shape"):
        correlate(X, v, np.zeros(2), 1)
    with pytest.raises(ValueError, match="index out of range"):
        gather_columns(X, np.array([3]), v, True)
    with pytest.raises(ValueError, match="different shape"):
        gather_columns(X, ids, np.ones(3), True)
    for columns in (matrix, np.ascontiguousarray(X.T)):
        with pytest.raises(ValueError, match="index out of range"):
            weighted_moments(columns, np.array([-1]), v, 1)
        with pytest.raises(ValueError, match="different shape"):
            _native.weighted_moments(
                *((columns,) if isinstance(columns, np.ndarray) else ()),
                *(
                    ()
                    if isinstance(columns, np.ndarray)
                    else (columns.indptr, columns.indices, columns.data)
                ),
                ids,
                v,
                np.empty(1),
                np.empty(2),
                1,
            )
    with pytest.raises(ValueError, match="index out of range"):
        add_columns(matrix, np.array([3]), np.ones(1), np.zeros(4))
    with pytest.raises(ValueError, match="of length 4"):
        add_columns(matrix, ids, np.ones(2), np.zeros(3))


@pytest.mark.parametrize(
    "starts", [[], [1, 2, 2, 4], [0, 2, 2, 3], [0, 2, 2, 5]], ids=["none", "late", "short", "long"]
)
def test_pointers_must_span_the_entries(starts):
    """What would read beyond the arrays is refused before any loop."""
    starts, rows = np.array(starts, dtype=np.int32), np.array([0, 1, 0, 2], dtype=np.int32)
    values, ids, v = np.ones(4), np.array([0]), np.ones(4)
    out = (np.empty(1), np.empty(1))
    with pytest.raises(ValueError, match="weighted_moments: malformed columns"):
        _native.weighted_moments(starts, rows, values, ids, v, *out, 1)
    with pytest.raises(ValueError, match="sparse_combine: malformed columns"):
        _native.sparse_combine(starts, rows, values, ids, np.ones(1), np.zeros(4))
    with pytest.raises(ValueError, match="sparse_descent: malformed columns"):
        _native.sparse_descent(
            starts, rows, values, ids, None, np.ones(1), v, np.zeros(1), v, 0.0, 0.0, False, 1, 0.0
        )
