"""Mean functions with known and unknown parts (gp.01)."""

import numpy as np
import pytest

from margin.gp.regression._mean import fit_mean


def test_basis_is_orthonormal_and_reproduces_new_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9, 3)) * [1e-6, 1.0, 1e6] + 5.0
    mean, rows, offset = fit_mean("GP", "linear", X)
    np.testing.assert_allclose(rows.T @ rows, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(mean.rows(X), rows, atol=1e-8)
    np.testing.assert_array_equal(offset, 0.0)


def test_coefficients_are_those_of_the_functions():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(8, 2))
    mean, rows, _ = fit_mean("GP", "linear", X)
    y = 3.0 + X @ [1.0, -2.0]
    np.testing.assert_allclose(mean.coefficients(rows.T @ y), [3.0, 1.0, -2.0], atol=1e-12)


def test_dependent_columns_are_dropped():
    X = np.column_stack([np.arange(5.0), np.ones(5), 2 * np.arange(5.0)])
    mean, rows, _ = fit_mean("GP", "linear", X)
    assert mean.rank == 2
    np.testing.assert_allclose(rows.T @ rows, np.eye(2), atol=1e-12)


def test_a_callable_is_a_basis_or_a_known_mean():
    X = np.linspace(0, 1, 4)[:, None]
    known, rows, offset = fit_mean("GP", lambda X: X[:, 0] ** 2, X)
    assert known.rank == 0
    assert rows.shape == (4, 0)
    np.testing.assert_allclose(offset, X[:, 0] ** 2)
    basis, rows, offset = fit_mean("GP", lambda X: np.column_stack([X, X**2]), X)
    assert basis.rank == 2
    np.testing.assert_array_equal(offset, 0.0)


@pytest.mark.parametrize("bad", ["cubic", 3, lambda X: np.full(len(X), np.nan), lambda X: [1.0]])
def test_nonsense_is_refused(bad):
    with pytest.raises(ValueError, match="GP: mean must be"):
        fit_mean("GP", bad, np.zeros((3, 1)))


def test_a_linear_mean_needs_vectors():
    with pytest.raises(ValueError, match="GP: mean must be a callable"):
        fit_mean("GP", "linear", ["a", "b"])
