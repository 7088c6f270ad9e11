"""Rows of the kernel matrix of one set."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin import kernels
from margin.kernels import KernelRows, kernel_rows

X = np.random.default_rng(0).normal(size=(600, 3))
K = kernels.RBF()


def test_by_rows_it_is_the_same_matrix():
    rows = kernel_rows(K, X)
    some, columns = np.array([5, 2]), np.array([7, 8, 599])
    assert (rows.n, rows.dtype) == (600, np.float64)
    assert_allclose(rows.columns(None)(some), K(X[some], X), rtol=1e-12)
    assert_allclose(rows.columns(columns)(some), K(X[some], X[columns]), rtol=1e-12)
    part = rows.take(some)
    assert part.n == 2
    assert_allclose(part.columns(None)(np.array([0])), K(X[[5]], X[some]), rtol=1e-12)
    assert_allclose(rows.diagonal(), 1)


@pytest.mark.parametrize("n", [50, 600])
def test_white_noise_is_on_the_diagonal_only(n):
    """Whole, by rows and in a block, below and above the size that is packed."""
    noisy = kernels.RBF() + kernels.White(0.5)
    rows, exact = kernel_rows(noisy, X[:n]), noisy(X[:n])
    assert_allclose(rows.matrix(), exact, rtol=1e-12)
    some = np.array([5, 2, n - 1])
    assert_allclose(rows.columns(None)(some), exact[some], rtol=1e-12)
    assert_allclose(rows.columns(np.array([2, 7]))(some), exact[np.ix_(some, [2, 7])], rtol=1e-12)


def test_objects_that_are_no_table():
    words = ["ab", "abab", "bb"]
    rows = kernel_rows(kernels.Spectrum(2), words, allow_single=True)
    assert rows.dtype == np.float64
    assert_array_equal(rows.matrix(), kernels.Spectrum(2)(words))
    assert_array_equal(rows.take(np.array([2, 0])).matrix(), kernels.Spectrum(2)(["bb", "ab"]))


def test_single_precision_only_where_it_is_allowed_and_agrees():
    assert kernel_rows(K, X).dtype == np.float64
    assert kernel_rows(K, X[:512], allow_single=True).dtype == np.float64
    single = kernel_rows(K, X, allow_single=True)
    assert single.dtype == single.matrix().dtype == np.float32
    assert_allclose(single.matrix(), K(X), atol=1e-6)
    steep = kernels.Custom(lambda A, B: np.sin(1e5 * (A @ B.T)))
    assert kernel_rows(steep, X, allow_single=True).dtype == np.float64


def test_a_frozen_value():
    with pytest.raises(AttributeError):
        KernelRows(K, X, np.dtype(float)).n_threads = 2
