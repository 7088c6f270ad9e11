"""Squared distances: never negative, accurate when points are close or far away."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.spatial.distance import cdist

from margin.kernels import squared_distances


@pytest.mark.parametrize("columns", [1, 5, 64, 65, 200])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_agree_with_differences(columns, offset):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(70, columns)) + offset, rng.normal(size=(66, columns)) + offset
    Z[:3] = X[:3] + 1e-6 * rng.normal(size=(3, columns))
    wanted = cdist(X, Z, "sqeuclidean")
    squares = squared_distances(X, Z)
    assert (squares >= 0).all()
    assert_allclose(squares, wanted, rtol=1e-11)
    own = squared_distances(X)
    assert (np.diagonal(own) == 0).all()
    assert (own == own.T).all()
    assert_allclose(own, cdist(X, X, "sqeuclidean"), rtol=1e-11)


def test_equal_points_are_at_distance_zero():
    X = np.random.default_rng(1).normal(size=(30, 150)) * 1e8
    assert (np.diagonal(squared_distances(X, X.copy())) == 0).all()


def test_sparse_tables_are_never_negative():
    X = sparse.random_array((40, 300), density=0.05, rng=np.random.default_rng(2)).tocsr()
    squares = squared_distances(X)
    assert (squares >= 0).all()
    assert (squares == squares.T).all()
    assert (np.diagonal(squared_distances(X, X.copy())) == 0).all()
    assert_allclose(squares, cdist(X.toarray(), X.toarray(), "sqeuclidean"), atol=1e-14)


def test_huge_and_tiny_scales():
    X = np.array([[0.0], [1e-160], [1e150], [-1e150]])
    squares = squared_distances(X)
    assert_allclose(squares[2, 3], 4e300, rtol=1e-14)
    assert squares[0, 1] >= 0.0
