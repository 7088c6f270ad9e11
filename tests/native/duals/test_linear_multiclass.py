"""Passes of the linear machine of several classes: the pass of the kernel machine, the border."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from margin.native.duals.linear_multiclass import linear_multiclass_passes, padded
from margin.native.duals.multiclass_dual import CRAMMER_SINGER, multiclass_pass


def state(n=15, p=4, n_classes=5, dtype=np.float64):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.7)).astype(dtype)
    X[3] = 0.0
    return X, rng.integers(0, n_classes, n), rng.uniform(0, 1.5, n), n_classes


def run(X, codes, cap, K, *, constant=0.0, limit=1, shrinks=False):
    dense = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    b, W = np.zeros((len(codes), K)), np.zeros((dense.shape[1] + 1, padded(K)))
    square = (dense**2).sum(axis=1) + constant**2
    rows = np.arange(len(codes))
    made = linear_multiclass_passes(
        X, constant, codes, cap, square, b, W, rows, seed=5, limit=limit, shrinks=shrinks
    )
    assert made == limit
    return b, W, dense


@pytest.mark.parametrize("n_classes", [2, 4, 5])
def test_padded(n_classes):
    assert padded(n_classes) % 4 == 0
    assert 0 <= padded(n_classes) - n_classes < 4


@pytest.mark.parametrize("constant", [0.0, 0.5])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_one_visit_is_that_of_the_kernel_machine(constant, dtype):
    """svm.18"""
    X, codes, cap, K = state(dtype=dtype)
    Z = np.column_stack([X.astype(np.float64), np.full(len(X), constant)])
    b, W, _ = run(X[:1], codes[:1], cap[:1], K, constant=constant)
    wanted, f, bias = np.zeros((1, K)), np.zeros((1, K)), np.zeros(K)
    order = np.zeros(1, dtype=np.int64)
    gram = np.ascontiguousarray(Z[:1] @ Z[:1].T)
    multiclass_pass(CRAMMER_SINGER, gram, order, codes[:1], cap[:1], 0.0, wanted, f, bias)
    assert np.allclose(b, wanted)
    assert np.allclose(W[:, :K], Z[:1].T @ wanted)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("shrinks", [False, True])
def test_sparse_is_dense(dtype, kind, shrinks):
    X, codes, cap, K = state(dtype=dtype)
    S = csr_matrix(X)
    S.indptr, S.indices = S.indptr.astype(kind), S.indices.astype(kind)
    b, W, Z = run(X, codes, cap, K, limit=7, shrinks=shrinks)
    other, other_W, _ = run(S, codes, cap, K, limit=7, shrinks=shrinks)
    assert np.allclose(b, other)
    assert np.allclose(W, other_W)
    assert np.allclose(W[:-1, :K], Z.T @ b)
    assert not W[:, K:].any()
    assert not b[3].any()


def test_bad_shapes_and_classes_are_refused():
    X, codes, cap, K = state()
    n, p = X.shape
    b, W, rows = np.zeros((n, K)), np.zeros((p + 1, padded(K))), np.arange(n)
    how = {"seed": 0, "limit": 1, "shrinks": False}
    with pytest.raises(ValueError, match="class out of range"):
        linear_multiclass_passes(X, 0.0, codes + K, cap, cap, b, W, rows, **how)
    with pytest.raises(ValueError, match="row out of range"):
        linear_multiclass_passes(X, 0.0, codes, cap, cap, b, W, rows + 1, **how)
    with pytest.raises(ValueError, match="different shape"):
        linear_multiclass_passes(X, 0.0, codes, cap, cap, b, W[:-1].copy(), rows, **how)
    with pytest.raises(ValueError, match="different shape"):
        linear_multiclass_passes(X, 0.0, codes, cap, cap, b, W[:, :K].copy(), rows, **how)
    S = csr_matrix(X)
    S.indices[0] = 9
    with pytest.raises(ValueError, match="column out of range"):
        linear_multiclass_passes(S, 0.0, codes, cap, cap, b, W, rows, **how)
