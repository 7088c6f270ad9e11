import numpy as np
import pytest

from margin.decomposition.manifold._laplacian_map import laplacian_map

RNG = np.random.default_rng(0)


def ring(n):
    A = np.zeros((n, n))
    A[np.arange(n), (np.arange(n) + 1) % n] = 1
    return A + A.T


def test_eigenvalues_of_a_ring():
    """decomposition.14: 1 - cos(2 pi j / n)."""
    found = laplacian_map(ring(10), 5, RNG)
    wanted = 1 - np.cos(2 * np.pi * np.array([0, 1, 1, 2, 2]) / 10)
    np.testing.assert_allclose(found.values, wanted, atol=1e-12)
    np.testing.assert_allclose(found.functions[:, 0], found.functions[0, 0])


def test_functions_are_orthogonal_by_degree_and_as_smooth_as_told():
    A = RNG.random((15, 15))
    A = A + A.T
    found = laplacian_map(A, 4, RNG)
    degree = A.sum(1) - np.diag(A)
    F = found.functions
    np.testing.assert_allclose(F.T * degree @ F, np.eye(4), atol=1e-10)
    rough = [0.5 * np.sum(A * (f[:, None] - f) ** 2) for f in F.T]
    np.testing.assert_allclose(rough, found.values, atol=1e-10)
    assert found.residual < 1e-12


def test_parts_are_counted():
    two = np.kron(np.eye(2), np.ones((3, 3)))
    found = laplacian_map(two, 2, RNG)
    assert found.n_parts == 2
    assert found.values.max() == pytest.approx(0, abs=1e-12)
