"""Least squares by singular values (linear.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linalg.data._centred import centred
from margin.linalg.least_squares._svd_ridge import svd_ridge


@pytest.mark.parametrize("alpha", [0.0, 2.0])
@pytest.mark.parametrize("shape", [(9, 4), (5, 4), (3, 6)])
def test_is_the_pseudo_inverse_of_the_centred_design(shape, alpha):
    """linear.13: with the triangular factor of tall designs, directly, and for wide ones."""
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=shape), rng.normal(size=(shape[0], 2))
    fit = svd_ridge(centred(X, Y, None, True, 1), alpha, forced=True)
    A = X - X.mean(axis=0)
    system = np.linalg.pinv(A.T @ A + alpha * np.eye(shape[1]), hermitian=True)
    assert_allclose(fit.coef, system @ A.T @ (Y - Y.mean(axis=0)), atol=1e-10)
    assert fit.method == "SVD (as asked)"
    assert fit.rank == np.linalg.matrix_rank(A)


def test_small_columns_are_judged_at_equal_size():
    """linear.03: a column of size 1e-20 is a feature, and its variance is in its own units."""
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))
    small = X * [1.0, 1e-20]
    fit, usual = (svd_ridge(centred(Z, Y, None, True, 1), 0.0, forced=True) for Z in (small, X))
    assert fit.rank == 2
    assert_allclose(fit.coef[:, 0] * [1.0, 1e-20], usual.coef[:, 0], rtol=1e-9)
    assert_allclose(fit.inverse.along(small), usual.inverse.along(X), rtol=1e-9)
