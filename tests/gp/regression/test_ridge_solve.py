"""The systems of kernel ridge regression against explicit inverses."""

import numpy as np
import pytest

from margin.core import FitError
from margin.gp.regression._ridge_solve import solve_ridge
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(12, 2))
K = RBF(1.0)(X)
Y = RNG.normal(size=(12, 2))


def test_explicit_inverse():
    """gp.06: (K + alpha I) a = y."""
    found = solve_ridge(K, Y, None, 0.3, "k")
    np.testing.assert_allclose(found.coefficients, np.linalg.inv(K + 0.3 * np.eye(12)) @ Y)
    assert found.residual <= found.tolerance
    assert found.repair == ""


def test_objective_is_the_minimum():
    weight = RNG.uniform(0.2, 2.0, 12)
    found = solve_ridge(K, Y, weight, 0.3, "k")

    def objective(a):
        return np.sum(weight[:, None] * (Y - K @ a) ** 2) + 0.3 * np.sum(a * (K @ a))

    assert found.objective == pytest.approx(objective(found.coefficients))
    for _ in range(5):
        step = 1e-3 * RNG.normal(size=(12, 2))
        assert objective(found.coefficients + step) > found.objective


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("alpha", "nugget", "third"), [(0.3, 0.0, 0.0), (0.0, 0.1, 1.0)])
def test_held_out_by_leaving_out(alpha, nugget, third, intercept):
    weight = RNG.uniform(0.2, 2.0, 12)
    weight[3] = third
    matrix = K + nugget * np.eye(12)
    found = solve_ridge(matrix, Y, weight, alpha, "k", intercept=intercept)
    for i in range(12):
        rest = np.delete(np.arange(12), i)
        part = solve_ridge(
            matrix[np.ix_(rest, rest)], Y[rest], weight[rest], alpha, "k", intercept=intercept
        )
        expected = matrix[i, rest] @ part.coefficients + part.intercept
        np.testing.assert_allclose(found.held_out[i], expected)


def test_a_single_row_held_out_leaves_nothing():
    found = solve_ridge(np.ones((1, 1)), np.array([[2.0]]), None, 1.0, "k", intercept=True)
    assert found.intercept[0] == pytest.approx(2.0)
    assert found.held_out[0, 0] == 0.0


def test_singular_matrix_is_mended_and_says_so():
    twice = np.ones((2, 2))
    found = solve_ridge(twice, np.ones((2, 1)), None, 0.0, "k")
    assert "rows 0 and 1 are alike" in found.repair
    np.testing.assert_allclose(twice @ found.coefficients, 1.0, atol=1e-6)


def test_indefinite_matrix_is_refused_with_its_eigenvalue():
    with pytest.raises(FitError, match=r"smallest eigenvalue -0\.5"):
        solve_ridge(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones((2, 1)), None, 0.5, "k")
