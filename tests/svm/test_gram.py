"""Kernel matrices: whole or by rows, in the precision that suffices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import kernels
from margin.optim import GramMatrix
from margin.svm import SVC, _gram
from margin.svm._gram import indefinite_notes, training_gram, whole_matrix

X = np.random.default_rng(0).normal(size=(600, 3))
K = kernels.RBF()


def test_by_rows_where_it_does_not_fit():
    gram = training_gram(K, X, tol=1e-6, cache_size=1, n_threads=1)
    assert isinstance(gram, kernels.KernelRows)
    assert gram.dtype == np.float64


def test_whole_where_it_fits_and_single_where_it_suffices():
    small = training_gram(K, X[:100], tol=1e-3, cache_size=200, n_threads=1)
    assert isinstance(small, GramMatrix)
    assert small.dtype == np.float64
    large = training_gram(K, X, tol=1e-3, cache_size=200, n_threads=1)
    assert isinstance(large, GramMatrix)
    assert large.dtype == np.float32
    assert_allclose(large.matrix, K(X), atol=1e-6)
    steep = kernels.Polynomial(2, 1.0, 0.0)
    cancelled = kernels.Custom(lambda A, B: np.round(1e4 * (A @ B.T).astype(A.dtype), 3))
    assert training_gram(steep, X, tol=1e-6, cache_size=200, n_threads=1).dtype == np.float64
    assert training_gram(cancelled, X, tol=1e-3, cache_size=200, n_threads=1).n == 600
    assert training_gram(None, np.eye(3), tol=1e-3, cache_size=1, n_threads=1).n == 3


def test_negative_eigenvalue_is_named():
    bad = GramMatrix(np.array([[1.0, 3.0], [3.0, 1.0]]))
    (note,) = indefinite_notes(None, bad)
    assert "eigenvalue -2;" in note
    assert indefinite_notes(K, bad) == ()
    assert indefinite_notes(None, GramMatrix(np.ones((3, 3)))) == ()


def test_nobody_knows_of_a_function_or_a_sum_with_one():
    bad = GramMatrix(np.array([[1.0, 3.0], [3.0, 1.0]]))
    custom = kernels.Custom(lambda A, B: A @ B.T)
    for kernel in (custom, custom + kernels.RBF(), 2.0 * custom):
        assert len(indefinite_notes(kernel, bad)) == 1


def test_a_machine_warns_of_it():
    with pytest.warns(UserWarning, match="SVC: the kernel matrix is not positive semi-definite"):
        SVC(kernel="precomputed").fit(np.array([[1.0, 3.0], [3.0, 1.0]]), [0, 1])


def test_whole_matrices(monkeypatch):
    assert_allclose(whole_matrix("SVC", K, X[:5]), K(X[:5]))
    assert whole_matrix("SVC", None, X[:5] @ X[:5].T).shape == (5, 5)
    monkeypatch.setattr(_gram, "LARGEST", 800.0)
    with pytest.raises(ValueError, match="SVC: X must have at most 10 rows, got 600"):
        whole_matrix("SVC", K, X)
