"""The compiled products and the fused pass of a linear model against NumPy twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import expit

from margin.native import _native
from margin.native.rows.losses import LOGISTIC, SQUARED
from margin.native.rows.products import csr_product, linear_pass


def csr(n, p, density=0.3, dtype=np.float64, index=np.int32, seed=0):
    made = sparse.random_array((n, p), density=density, rng=np.random.default_rng(seed))
    made = made.tocsr().astype(dtype)
    made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("k", [1, 2, 7])
def test_csr_product_agrees_with_numpy(dtype, index, k):
    matrix = csr(60, 23, dtype=dtype, index=index)
    coef = np.random.default_rng(1).normal(size=(23, k))
    out = csr_product(matrix, coef, 1)
    assert out.dtype == np.float64
    assert_allclose(out, matrix.toarray().astype(np.float64) @ coef, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (4, 1), (5, 0), (3, 3)])
@pytest.mark.parametrize("k", [0, 1, 3])
def test_csr_product_of_degenerate_shapes(shape, k):
    """No rows, one row, no columns, no stored entries, no outputs."""
    for matrix in (csr(*shape, density=1.0), sparse.csr_array(shape)):
        coef = np.ones((shape[1], k))
        assert_allclose(csr_product(matrix, coef, 1), matrix.toarray() @ coef)


def test_csr_product_with_empty_rows_repeated_and_unsorted_entries():
    """Stored entries add up whatever their order; rows without entries give zero."""
    matrix = sparse.csr_array(
        (np.array([1.0, 2.0, 4.0, 8.0]), np.array([2, 0, 2, 1]), np.array([0, 0, 3, 3, 4, 4])),
        shape=(5, 3),
    )
    coef = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    wanted = np.array([[0, 0], [17, 170], [0, 0], [16, 160], [0, 0]], dtype=float)
    assert_allclose(csr_product(matrix, coef, 1), wanted)
    assert_allclose(csr_product(matrix, coef[:, :1].copy(), 2), wanted[:, :1])


@pytest.mark.parametrize("k", [1, 3])
def test_csr_product_is_the_same_to_the_bit_for_any_number_of_threads(k):
    """Rows of very unequal length, enough entries for the parallel branch."""
    rng = np.random.default_rng(0)
    heavy = csr(2500, 900, density=0.9)
    matrix = sparse.csr_array(sparse.vstack([csr(500, 900, density=0.01), heavy, csr(3, 900)]))
    assert matrix.nnz > 2_000_000
    coef = rng.normal(size=(900, k))
    one = csr_product(matrix, coef, 1)
    assert_allclose(one, matrix @ coef, rtol=1e-12, atol=1e-12)
    for n_threads in (2, 3, 8):
        assert_array_equal(csr_product(matrix, coef, n_threads), one)


def test_csr_product_passes_nan_and_infinity_on():
    matrix = sparse.csr_array(np.array([[1.0, 0.0], [np.nan, 2.0], [0.0, np.inf]]))
    assert_array_equal(csr_product(matrix, np.ones((2, 1)), 1)[:, 0], [1.0, np.nan, np.inf])


def test_csr_product_refuses_what_does_not_fit():
    matrix = csr(6, 4)
    with pytest.raises(ValueError, match="coef must have 4 rows, got 3"):
        csr_product(matrix, np.ones((3, 1)), 1)
    parts = (matrix.indptr, matrix.indices, matrix.data)
    coef, out = np.ones((4, 2)), np.empty((6, 2))
    with pytest.raises(ValueError, match="arrays of different shape"):
        _native.csr_product(*parts, coef, np.empty((5, 2)), 1)
    with pytest.raises(ValueError, match="arrays of different shape"):
        _native.csr_product(*parts, coef, np.empty((6, 3)), 1)
    with pytest.raises(ValueError, match="arrays of different shape"):
        _native.csr_product(matrix.indptr, matrix.indices[:-1], matrix.data, coef, out, 1)
    with pytest.raises(ValueError, match="malformed row pointers"):
        _native.csr_product(matrix.indptr + 1, matrix.indices, matrix.data, coef, out, 1)
    for bad in (np.empty((2, 6)).T, np.empty((6, 2), dtype=np.float32)):
        with pytest.raises(TypeError):
            _native.csr_product(*parts, coef, bad, 1)
    with pytest.raises(TypeError):
        csr_product(matrix, np.ones((2, 4)).T, 1)


def twin(loss, X, y, weight, coef, intercept):
    z = X.astype(np.float64) @ coef + intercept
    if loss == SQUARED:
        value, slope, curvature = 0.5 * (z - y) ** 2, z - y, np.ones_like(z)
    else:
        value = np.logaddexp(0.0, z) - y * z
        slope, curvature = expit(z) - y, expit(z) * expit(-z)
    s = np.ones(len(y)) if weight is None else weight
    gradient = np.append(X.astype(np.float64).T @ (s * slope), np.sum(s * slope))
    return s @ value, gradient, s * curvature


def sample(n, p, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)).astype(dtype)
    return X, rng.integers(2, size=n).astype(float), rng.random(n), rng.normal(size=p)


def passed(loss, X, y, weight, coef, intercept=0.3, n_threads=1):
    gradient, curvature = np.full(X.shape[1] + 1, np.nan), np.full(len(y), np.nan)
    value = linear_pass(loss, X, y, weight, coef, intercept, curvature, gradient, n_threads)
    return value, gradient, curvature


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (63, 5), (64, 4), (65, 9), (200, 0), (2500, 17)])
@pytest.mark.parametrize("weighted", [False, True])
def test_linear_pass_agrees_with_numpy(loss, dtype, shape, weighted):
    """linear.01: one fused pass is prediction, loss and gradient, around the tile of 64 rows."""
    X, y, weight, coef = sample(*shape, dtype=dtype)
    found = passed(loss, X, y, weight if weighted else None, coef)
    wanted = twin(loss, X, y, weight if weighted else None, coef, 0.3)
    assert_allclose(found[0], wanted[0], rtol=1e-12)
    assert_allclose(found[1], wanted[1], rtol=1e-10, atol=1e-11)
    assert_allclose(found[2], wanted[2], rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_linear_pass_of_no_rows_writes_zeros(dtype):
    X, y, weight, coef = sample(0, 3, dtype=dtype)
    value, gradient, _ = passed(LOGISTIC, X, y, weight, coef)
    assert value == 0.0
    assert_array_equal(gradient, np.zeros(4))


def test_linear_pass_is_the_same_to_the_bit_for_any_number_of_threads():
    X, y, weight, coef = sample(350_000, 6)
    one = passed(LOGISTIC, X, y, weight, coef)
    for n_threads in (2, 3, 8):
        other = passed(LOGISTIC, X, y, weight, coef, n_threads=n_threads)
        assert other[0] == one[0]
        assert_array_equal(other[1], one[1])
        assert_array_equal(other[2], one[2])


@pytest.mark.parametrize("loss", [SQUARED, LOGISTIC])
def test_linear_pass_weights(loss):
    """No weight is weight one, weight zero is absence, weight two is the row twice."""
    X, y, weight, coef = sample(130, 4)
    assert_allclose(passed(loss, X, y, None, coef)[1], passed(loss, X, y, np.ones(130), coef)[1])
    count = np.floor(3 * weight)
    found = passed(loss, X, y, count, coef)
    rows = np.repeat(np.arange(130), count.astype(int))
    wanted = passed(loss, X[rows], y[rows], None, coef)
    assert_allclose(found[0], wanted[0], rtol=1e-12)
    assert_allclose(found[1], wanted[1], rtol=1e-11, atol=1e-12)
    assert not found[2][count == 0].any()


def test_linear_pass_of_huge_scores_stays_finite_and_nan_is_not_hidden():
    X, y, _, coef = sample(70, 3)
    value, gradient, curvature = passed(LOGISTIC, 1e6 * X, y, None, coef)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
    assert np.abs(curvature).max() <= 0.25
    X[66, 1] = np.nan
    value, gradient, curvature = passed(LOGISTIC, X, y, None, coef)
    assert np.isnan(value)
    assert np.isnan(gradient).all()
    assert np.flatnonzero(np.isnan(curvature)).tolist() == [66]


def test_linear_pass_refuses_what_does_not_fit():
    X, y, weight, coef = sample(10, 3)
    out = np.empty(4)
    for arguments in (
        (X, y[:9], None, coef, 0.0, None, out),
        (X, y, weight[:9], coef, 0.0, None, out),
        (X, y, None, coef[:2], 0.0, None, out),
        (X, y, None, coef, 0.0, np.empty(9), out),
        (X, y, None, coef, 0.0, None, np.empty(3)),
    ):
        with pytest.raises(ValueError, match="arrays of different shape"):
            linear_pass(LOGISTIC, *arguments, 1)
    with pytest.raises(ValueError, match="unknown loss"):
        linear_pass(99, X, y, None, coef, 0.0, None, out, 1)
    for bad in (np.asfortranarray(X), X.astype(int), np.repeat(X, 2, axis=1)[:, ::2]):
        with pytest.raises(TypeError):
            linear_pass(LOGISTIC, bad, y, None, coef, 0.0, None, out, 1)
    for gradient in (np.zeros(8)[::2], np.zeros(4, dtype=np.float32)):
        with pytest.raises(TypeError):
            linear_pass(LOGISTIC, X, y, None, coef, 0.0, None, gradient, 1)
    X.flags.writeable = False
    assert np.isfinite(linear_pass(LOGISTIC, X, y, None, coef, 0.0, None, out, 1))
