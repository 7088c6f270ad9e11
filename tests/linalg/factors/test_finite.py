"""Factorisations that refuse what LAPACK would never return from."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linalg import lstsq, singular_values, svd

RNG = np.random.default_rng(0)
# NumPy's own singular values of this matrix do not end.
ENDLESS = RNG.normal(size=(10, 7))
ENDLESS[0, 0] = -np.inf


def test_the_factors_make_the_matrix():
    A = RNG.normal(size=(6, 4))
    left, values, right = svd(A)
    assert_allclose((left * values) @ right, A, atol=1e-12)
    assert_allclose(singular_values(A), values)
    assert_allclose(A.T @ (A @ lstsq(A, np.arange(6.0)) - np.arange(6.0)), 0.0, atol=1e-12)


def test_least_squares_of_least_norm():
    assert_allclose(lstsq(np.ones((3, 2)), np.ones(3)), [0.5, 0.5])
    assert_allclose(lstsq(np.diag([1.0, 1e-6]), np.ones(2), 1e-3), [1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("entry", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_is_refused(entry):
    A = np.where(np.isinf(ENDLESS), entry, ENDLESS)
    for factorise in (svd, singular_values, lambda M: lstsq(M, np.ones(10))):
        with pytest.raises(np.linalg.LinAlgError, match="beyond the largest number"):
            factorise(A)
    with pytest.raises(np.linalg.LinAlgError, match="beyond the largest number"):
        lstsq(np.eye(2), np.array([1.0, entry]))
