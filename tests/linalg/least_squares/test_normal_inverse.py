"""The inverse of the normal equations in every form the solvers leave it (linear.03, linear.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.linalg import ridge
from margin.linalg.least_squares import _least_squares, _normal_inverse, _sparse_ridge, _svd_ridge


def sample(n, p, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + np.linspace(-2.0, 2.0, p)
    return X, rng.normal(size=(n, 2)), rng.random(n) + 0.2, rng.normal(size=(7, p))


def brute(X, weight, alpha, intercept, new):
    """Quadratic forms and trace of the hat matrix, with every matrix written out."""
    mean = np.average(X, axis=0, weights=weight) if intercept else np.zeros(X.shape[1])
    A = np.sqrt(weight)[:, None] * (X - mean)
    M = np.linalg.pinv(A.T @ A + alpha * np.eye(X.shape[1]), hermitian=True)
    return np.einsum("ij,jk,ik->i", new - mean, M, new - mean), float(np.trace(A @ M @ A.T))


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 0.7])
@pytest.mark.parametrize("form", ["cholesky", "svd", "sparse"])
@pytest.mark.parametrize("shape", [(30, 5), (6, 9)])
def test_every_form_is_the_inverse_written_out(shape, form, alpha, intercept):
    """linear.13: tall and wide, dense and sparse, weighted; and the effective parameters."""
    X, Y, s, new = sample(*shape)
    data = sparse.csr_matrix(X) if form == "sparse" else X
    method = "auto" if form == "sparse" else form
    kept = ridge(data, Y, s, alpha, intercept=intercept, method=method).inverse
    if form == "cholesky" and shape == (6, 9) and alpha == 0:
        assert kept is None  # nothing is left to estimate the noise by
        return
    form_at, dof = brute(X, s, alpha, intercept, new)
    assert_allclose(kept.along(new), form_at, rtol=1e-8)
    assert_allclose(kept.along(sparse.csr_matrix(new)), form_at, rtol=1e-8)
    assert_allclose(kept.dof(), dof, rtol=1e-8)


@pytest.mark.parametrize("method", ["auto", "svd"])
@pytest.mark.parametrize("alpha", [0.0, 0.7])
def test_constant_columns_have_no_direction(alpha, method):
    """linear.03: without a penalty nothing is known along them, with one their prior is."""
    X, Y, s, new = sample(30, 5)
    X[:, 2] = 3.0
    kept = ridge(X, Y, s, alpha, method=method).inverse
    form_at, dof = brute(X, s, alpha, True, new)
    assert_allclose(kept.along(new), form_at, rtol=1e-8)
    assert_allclose(kept.dof(), dof, rtol=1e-8)


def test_rows_of_weight_zero_are_absent():
    X, Y, s, new = sample(12, 20)
    s[3:6] = 0.0
    kept = ridge(X, Y, s, 0.3).inverse
    form_at, dof = brute(X, s, 0.3, True, new)
    assert_allclose(kept.along(new), form_at, rtol=1e-8)
    assert_allclose(kept.dof(), dof, rtol=1e-8)


def test_what_would_take_too_much_memory_is_not_kept(monkeypatch):
    for module in (_least_squares, _sparse_ridge, _svd_ridge):
        monkeypatch.setattr(module, "MOST_NUMBERS", 20)
    assert _normal_inverse.MOST_NUMBERS == 10_000_000
    X, Y, _, _ = sample(30, 5)
    assert ridge(X, Y).inverse is None
    assert ridge(X, Y, method="svd").inverse is None
    assert ridge(X[:4], Y[:4], alpha=1.0).inverse is not None
    assert ridge(np.tile(X[:4], 2), Y[:4], alpha=1.0).inverse is None
    assert ridge(sparse.csr_matrix(X), Y).inverse is None
