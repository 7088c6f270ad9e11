"""Inverses of Toeplitz matrices against dense ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import toeplitz

from margin.core import FitError
from margin.linalg import toeplitz_inverse

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n", [1, 2, 3, 17, 150])
def test_against_the_dense_inverse(n):
    """linalg.13: two matrices at a time, all that the first column says."""
    rows = np.outer([1.0, 2.5], np.exp(-np.arange(n) / 3.0))
    rows[:, 0] += 0.1
    made = toeplitz_inverse(rows)
    Y = RNG.normal(size=(2, 3, n))
    for i, row in enumerate(rows):
        A = toeplitz(row)
        inverse = np.linalg.inv(A)
        assert made.log_det[i] == pytest.approx(np.linalg.slogdet(A)[1])
        assert_allclose(made.product(Y)[i], Y[i] @ A, atol=1e-11)
        assert_allclose(made.solve(Y)[i], Y[i] @ inverse, atol=1e-11)
        squares = np.einsum("ki,ij,kj->k", Y[i], inverse, Y[i])
        assert_allclose(made.quadratic(Y)[i], squares, rtol=1e-10)
        assert_allclose(made.inverse_diagonal()[i], np.diagonal(inverse), atol=1e-11)
        sums = [np.trace(inverse, k) for k in range(n)]
        assert_allclose(made.diagonal_sums()[i], sums, atol=1e-10)
    assert not made.repair


def test_badly_conditioned_systems_are_solved():
    """The refinement leaves a residual near rounding where entries of the inverse are large."""
    x = np.linspace(0, 10, 400)
    row = np.exp(-0.5 * x**2)
    row[0] += 1e-6
    made = toeplitz_inverse([row])
    y = np.sin(x)[None, None]
    assert np.abs(made.product(made.solve(y)) - y).max() < 1e-9


def test_singular_is_mended_and_said():
    made = toeplitz_inverse(np.ones((1, 4)))
    assert "Toeplitz matrix" in made.repair
    assert 0 < made.jitter < 1e-11
    assert made.backward_error() < 1e-12


def test_refusals():
    with pytest.raises(FitError, match="Toeplitz matrix must be positive definite"):
        toeplitz_inverse([[1.0, 2.0]])
    with pytest.raises(ValueError, match="finite"):
        toeplitz_inverse([[1.0, np.nan]])
    with pytest.raises(ValueError, match="at least 1 entry"):
        toeplitz_inverse(np.empty((2, 0)))
