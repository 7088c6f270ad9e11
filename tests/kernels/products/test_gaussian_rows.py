"""Packed rows of the Gaussian kernel."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin import kernels
from margin.kernels._prepared import Blockwise
from margin.kernels.products._gaussian_rows import GaussianRows

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(30, 3)), RNG.normal(size=(41, 3))
COEF = RNG.normal(size=(41, 2))


@pytest.mark.parametrize("scale", [0.7, (0.5, 1.0, 3.0)])
def test_values_and_sums_are_those_of_the_kernel(scale):
    kernel = kernels.RBF(scale)
    prepared = kernel.prepare(Z)
    assert isinstance(prepared, GaussianRows)
    assert_allclose(prepared.rows(X), kernel(X, Z), rtol=1e-10)
    assert_allclose(prepared.sums(X, COEF), kernel(X, Z) @ COEF, rtol=1e-9, atol=1e-12)


def test_any_kernel_that_is_a_gaussian_is_packed():
    """The smoothest Matérn kernel is one; the others are not."""
    assert isinstance(kernels.Matern(nu=np.inf).prepare(Z), GaussianRows)
    assert_allclose(kernels.Matern(nu=np.inf).prepare(Z).rows(X), kernels.RBF()(X, Z), rtol=1e-10)
    assert isinstance(kernels.Matern().prepare(Z), Blockwise)


def test_single_precision_far_from_the_origin():
    kernel = kernels.RBF(0.7)
    far, base = (X + 1000).astype(np.float32), (Z + 1000).astype(np.float32)
    exact = kernel(far.astype(float), base.astype(float))
    assert_allclose(kernel.prepare(base).rows(far), exact, atol=1e-5)


def test_sparse_rows_and_lists_against_packed_ones():
    kernel = kernels.RBF(0.7)
    exact = kernel(X, Z) @ COEF
    for rows in (sparse.csr_array(X), X.tolist()):
        assert_allclose(kernel.prepare(Z).sums(rows, COEF), exact, rtol=1e-9, atol=1e-12)
    assert_allclose(kernel.prepare(Z.tolist()).rows(X), kernel(X, Z), rtol=1e-10)


def test_nothing_to_compare_with():
    prepared = kernels.RBF().prepare(Z[:0])
    assert prepared.rows(X).shape == (30, 0)
    assert_allclose(prepared.sums(X, COEF[:0]), np.zeros((30, 2)))
