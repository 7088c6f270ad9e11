"""The linear kernel (kernels.02) and the dual representation (kernels.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.kernels import RBF, KernelFunction, Linear
from margin.testing import KernelContract

A = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]])


class TestLinear(KernelContract):
    def make(self):
        return [Linear(), Linear(A)]


def test_values():
    """kernels.02: x'x and x'Ax by brute force."""
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    wanted = [[x @ A @ z for z in Z] for x in X]
    assert_allclose(Linear(A)(X, Z), wanted, rtol=1e-12)
    assert_allclose(Linear()(X, Z), X @ Z.T, rtol=1e-14)
    table = sparse.csr_array(X)
    assert_allclose(Linear(A)(table), X @ A @ X.T, rtol=1e-12)
    assert_allclose(Linear()(table, Z), X @ Z.T, rtol=1e-13)
    assert_allclose(Linear(A).diag(table), Linear(A).diag(X), rtol=1e-12)


def test_dual_form_and_orthogonal_inputs():
    """kernels.01: w = sum of a_i x_i, so inputs orthogonal to all x_i have no effect."""
    X = np.array([[1.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
    f = KernelFunction(Linear(), X, [0.5, -1.0])
    assert_allclose(f([[3.0, 4.0, 5.0]]), [X.T @ [0.5, -1.0] @ [3.0, 4.0, 5.0]])
    assert f([[0.0, 0.0, 7.0]])[0] == 0.0


def test_weights_of_the_columns():
    """kernels.01: the primal weights of dual coefficients; other kernels have none."""
    rng = np.random.default_rng(1)
    X, Z, coef = rng.normal(size=(5, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 2))
    for table in (Z, sparse.csr_array(Z)):
        assert_allclose(X @ Linear().primal(table, coef), Linear()(X, Z) @ coef, rtol=1e-12)
    assert_allclose(Linear().fix().primal(Z, coef), Z.T @ coef)
    assert Linear(A).primal(Z, coef) is None
    assert RBF().primal(Z, coef) is None


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1.0, 2.0]], "a square matrix"),
        ([[1.0, 2.0], [0.0, 1.0]], "symmetric"),
        ([[1.0, 2.0], [2.0, 1.0]], "positive semi-definite, got 'eigenvalue -1'"),
        ([[np.nan]], "finite"),
    ],
)
def test_matrix_is_refused(matrix, words):
    with pytest.raises(ValueError, match=f"Linear: matrix must be.*{words}"):
        Linear(matrix)


def test_wrong_number_of_columns():
    with pytest.raises(ValueError, match="Linear: matrix must be of 2 rows"):
        Linear(A)(np.zeros((1, 2)))
