"""Centred kernel matrices and their eigenvectors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition.kernel._centred_kernel import (
    SOLVERS,
    Settings,
    centred,
    row_spectrum,
    spectrum,
    without_rounding,
)
from margin.linalg import double_centred

RNG = np.random.default_rng(0)
A = RNG.normal(size=(90, 12))
K = A @ A.T


def test_centring():
    out, means = centred(K.copy())
    assert_allclose(out, double_centred(K), atol=1e-10)
    assert_allclose(means.columns, K.mean(axis=0))


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_agree(solver):
    found = spectrum(K, 4, Settings(solver, 0.0, None, 30, np.random.default_rng(0)))
    assert_allclose(found.values, np.linalg.eigvalsh(K)[::-1][:4], rtol=1e-8)
    assert_allclose(K @ found.vectors, found.vectors * found.values, atol=1e-4)


def test_rounding_and_negative_values():
    assert_allclose(without_rounding("K", np.array([1.0, 1e-14, -1e-14])), [1, 0, 0])
    assert_allclose(without_rounding("K", np.array([-1e-14])), 0)
    with pytest.raises(ValueError, match="K: There are significant negative eigenvalues"):
        without_rounding("K", np.array([1.0, -0.1]))
    with pytest.raises(ValueError, match="K: All eigenvalues are negative"):
        without_rounding("K", np.array([-1.0]))


def test_rows_tell_the_same_as_their_scalar_products():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(40, 3)) * [3.0, 2.0, 1.0] + 5.0
    K, means = centred(X @ X.T)
    whole = spectrum(K.copy(), 3, Settings("dense", 0.0, None, None, rng))
    axes, centre, trace = row_spectrum(X, 3)
    assert_allclose(axes.values, whole.values)
    assert_allclose(axes.vectors, whole.vectors, atol=1e-9)
    assert_allclose(centre.columns, means.columns)
    assert_allclose([centre.whole, trace], [means.whole, np.trace(K)])
