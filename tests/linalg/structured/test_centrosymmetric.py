"""Eigenvectors, whole or in halves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import toeplitz

from margin.linalg import symmetric_eigen


@pytest.mark.parametrize("n", [0, 1, 2, 31, 32, 33, 80, 81])
@pytest.mark.parametrize("kind", ["toeplitz", "general", "nearly"])
def test_pairs_belong_together(n, kind):
    """linalg.11: the even and the odd vectors are all vectors."""
    A = toeplitz(np.exp(-0.1 * np.arange(n))) if n else np.empty((0, 0))
    if kind == "general":
        A = A + np.diag(np.arange(float(n)))
    elif kind == "nearly":
        A = A + 1e-9 * np.diag(np.arange(float(n)))
    values, vectors = symmetric_eigen(A)
    assert np.all(np.diff(values) >= 0)
    assert_allclose(vectors.T @ vectors, np.eye(n), atol=1e-13)
    assert_allclose((vectors * values) @ vectors.T, A, atol=1e-12 * max(n, 1))
    assert_allclose(values, np.linalg.eigvalsh(A) if n else [], atol=1e-11)


def test_points_that_are_symmetric_but_not_regular():
    x = np.cos(np.linspace(0, np.pi, 41))
    K = np.exp(-(np.subtract.outer(x, x) ** 2))
    values, vectors = symmetric_eigen(K)
    assert_allclose((vectors * values) @ vectors.T, K, atol=1e-13)


def test_rounding_errors_are_no_negative_values():
    K = np.exp(-0.5 * np.subtract.outer(np.linspace(0, 1, 60), np.linspace(0, 1, 60)) ** 2)
    assert symmetric_eigen(K)[0].min() < 0
    assert symmetric_eigen(K, semidefinite=True)[0].min() == 0
    indefinite = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert symmetric_eigen(indefinite, semidefinite=True)[0] == pytest.approx([-1.0, 3.0])


def test_what_is_not_symmetric_is_refused():
    with pytest.raises(ValueError, match="must be symmetric"):
        symmetric_eigen([[1.0, 2.0], [0.0, 1.0]])
