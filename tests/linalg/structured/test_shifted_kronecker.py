"""A tensor product plus a multiple of the identity, against the dense matrix."""

from functools import reduce

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.linalg import shifted_kronecker


@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 1, 5)], ids=str)
def test_against_the_dense_matrix(definite, shape):
    """linalg.11: solve, determinant, diagonal of the inverse."""
    terms = [definite(n, j) for j, n in enumerate(shape)]
    made = shifted_kronecker(terms, factor=1.7, shift=0.3)
    C = 1.7 * reduce(np.kron, terms) + 0.3 * np.eye(np.prod(shape))
    Y = np.random.default_rng(0).normal(size=(len(C), 2))
    assert made.shape == shape
    assert_allclose(made.solve(Y), np.linalg.solve(C, Y), rtol=1e-8, atol=1e-9)
    assert_allclose(made.back(made.rotate(Y)), Y, atol=1e-12)
    assert made.log_det == pytest.approx(np.linalg.slogdet(C)[1])
    assert_allclose(made.inverse_diagonal(), np.diagonal(np.linalg.inv(C)), rtol=1e-9)
    assert not made.repair


def test_singular_is_mended_and_said():
    made = shifted_kronecker([np.ones((2, 2)), np.eye(3)])
    assert "tensor product" in made.repair
    assert 0 < made.jitter < 1e-12
    assert made.spectrum.min() > 0
    Y = np.ones((6, 1))
    assert_allclose(np.kron(np.ones((2, 2)), np.eye(3)) @ made.solve(Y), Y, atol=1e-10)


def test_indefinite_is_refused():
    with pytest.raises(FitError, match="tensor product must be positive definite"):
        shifted_kronecker([[[1.0, 2.0], [2.0, 1.0]], np.eye(2)])
    # Enough noise makes it a covariance.
    assert shifted_kronecker([[[1.0, 2.0], [2.0, 1.0]], np.eye(2)], shift=1.5).log_det


def test_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1 matrix"):
        shifted_kronecker([])
