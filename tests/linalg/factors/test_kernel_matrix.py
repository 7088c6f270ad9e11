"""Factorisation of kernel matrices, with explanations."""

import numpy as np
import pytest

from margin.core import FitError
from margin.linalg import kernel_cholesky, mirrored
from margin.linalg.factors._kernel_matrix import nearest


def test_factor_of_a_good_matrix():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 6))
    K = A @ A.T + np.eye(6)
    for made in (
        kernel_cholesky(K.copy(), "k"),
        kernel_cholesky(np.asfortranarray(K), "k", clean=False),
    ):
        np.testing.assert_allclose(np.tril(made.lower) @ np.tril(made.lower).T, K, rtol=1e-12)
        assert made.jitter == 0.0
        assert made.repair == ""


def test_duplicates_are_mended_and_named():
    x = np.array([0.0, 1.0, 1.0, 2.0])
    K = np.exp(-0.5 * (x[:, None] - x) ** 2)
    factor = kernel_cholesky(K.copy(), "RBF(1)")
    assert 0 < factor.jitter < 1e-6
    assert "RBF(1)" in factor.repair
    assert "rows 1 and 2 are alike" in factor.repair
    lifted = K + factor.jitter * np.eye(4)
    np.testing.assert_allclose(factor.lower @ factor.lower.T, lifted, atol=1e-12)


def test_an_indefinite_matrix_is_refused_with_its_eigenvalue():
    with pytest.raises(FitError, match=r"kernel matrix of mine .* smallest eigenvalue -1"):
        kernel_cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]), "mine")


def test_nan_is_refused():
    with pytest.raises(FitError, match="must be finite"):
        kernel_cholesky(np.full((2, 2), np.nan), "k")


def test_nearest_rows():
    assert nearest(np.eye(3)) == ""
    assert nearest(np.ones((1, 1))) == ""
    K = np.eye(4)
    K[1, 3] = K[3, 1] = 1.0
    assert nearest(K) == "rows 1 and 3 are alike"


@pytest.mark.parametrize("n", [0, 1, 3, 128, 300])
@pytest.mark.parametrize("order", ["C", "F"])
def test_mirrored(n, order):
    """Also where the matrix is larger than a tile, and not a multiple of one."""
    A = np.array(np.random.default_rng(n).normal(size=(n, n)), order=order)
    wanted = np.tril(A) + np.tril(A, -1).T
    np.testing.assert_array_equal(mirrored(A), wanted)
