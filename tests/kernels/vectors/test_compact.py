"""Sparse matrices of kernels with compact support (kernels.25)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, BSpline, CatmullRom, Triangle, Truncated, Wendland

KERNELS = [
    Wendland(0.7, dimension=2),
    Truncated(RBF(0.4), 2.0),
    Triangle((0.5, 0.9)),
    BSpline(0.3),
    CatmullRom(0.4),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_sparse_matrix_is_the_dense_one(kernel):
    rng = np.random.default_rng(0)
    X, Z = rng.uniform(size=(120, 2)) * 5, rng.uniform(size=(40, 2)) * 5
    X[3] = X[4]
    thin = kernel.sparse(X)
    assert_allclose(thin.toarray(), kernel(X), atol=1e-14)
    assert (thin != thin.T).nnz == 0
    assert (thin.data != 0).all()
    assert_allclose(kernel.sparse(X, Z).toarray(), kernel(X, Z), atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_degenerate_tables(kernel):
    assert kernel.sparse(np.empty((0, 2))).shape == (0, 0)
    assert kernel.sparse(np.zeros((1, 2))).toarray() == kernel(np.zeros((1, 2)))
    apart = np.array([[0.0, 0.0], [100.0, 100.0]])
    assert kernel.sparse(apart).nnz == 2
    assert kernel.sparse(apart[:1], apart[1:]).nnz == 0
    with pytest.raises(ValueError, match="Z must be of 2 columns as X is, got 1"):
        kernel.sparse(np.zeros((1, 2)), np.zeros((1, 1)))
