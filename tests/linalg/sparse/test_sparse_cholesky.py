"""The sparse factor against the dense one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.spatial import KDTree

from margin.core import FitError
from margin.linalg import sparse_cholesky

RNG = np.random.default_rng(0)


def near(n, d, radius, shift=0.05):
    points = RNG.uniform(size=(n, d))
    tree = KDTree(points)
    found = tree.sparse_distance_matrix(tree, radius).tocoo()
    i = np.concatenate([found.row, np.arange(n)])
    j = np.concatenate([found.col, np.arange(n)])
    r = np.linalg.norm(points[i] - points[j], axis=1) / radius
    values = np.maximum(1 - r, 0) ** 4 * (4 * r + 1) + shift * (i == j)
    keep = (i != j) | (np.arange(len(i)) >= len(found.row))
    return points, sparse.csr_array((values[keep], (i[keep], j[keep])), shape=(n, n))


@pytest.mark.parametrize(("n", "d", "radius"), [(500, 2, 0.12), (400, 1, 0.02), (300, 3, 0.5)])
def test_same_as_the_dense_factor(n, d, radius):
    """linalg.09: determinant, solutions and the inverse where the matrix is stored."""
    points, A = near(n, d, radius)
    dense, made = A.toarray(), sparse_cholesky(A, points=points)
    assert made.log_det == pytest.approx(np.linalg.slogdet(dense)[1], rel=1e-12)
    B = RNG.normal(size=(n, 3))
    assert_allclose(made.solve(B), np.linalg.solve(dense, B), atol=1e-9)
    assert_allclose(made.solve(B[:, 0]), np.linalg.solve(dense, B[:, 0]), atol=1e-9)
    inverse, pairs = np.linalg.inv(dense), A.tocoo()
    i, j = pairs.coords
    found = made.inverse_at(i.astype(np.intp), j.astype(np.intp))
    assert_allclose(found, inverse[i, j], atol=1e-9)
    assert_allclose(made.inverse_diagonal(), np.diagonal(inverse), atol=1e-9)
    assert made.repairs == ()
    assert f"n={n}" in repr(made)


def test_any_order_will_do():
    _, A = near(200, 2, 0.2)
    made = sparse_cholesky(A)
    assert made.log_det == pytest.approx(np.linalg.slogdet(A.toarray())[1])


def test_singular_is_mended_and_indefinite_refused():
    twins = sparse.csr_array(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert "added" in sparse_cholesky(twins, name="twin matrix").repairs[0]
    bad = sparse.csr_array(np.array([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(FitError, match="bad matrix must be positive definite"):
        sparse_cholesky(bad, name="bad matrix")
