"""Kernels by name, object or function."""

import numpy as np
from numpy.testing import assert_allclose
from scipy import sparse

from margin import kernels
from margin.svm._kernel_choice import KernelChoice, takes_objects

X = np.random.default_rng(0).normal(size=(8, 2))


def test_what_is_a_list_of_objects():
    assert not takes_objects("rbf", X)
    assert not takes_objects(kernels.RBF(), X)
    assert not takes_objects(lambda A, B: A @ B.T, X)
    assert not takes_objects(lambda A, B: A @ B.T, X.tolist())
    assert not takes_objects(lambda A, B: A, sparse.csr_array(X))
    assert takes_objects(lambda A, B: A, ["a", "b"])
    assert takes_objects(lambda A, B: A, [np.zeros(2), np.zeros(3)])
    assert takes_objects(kernels.Spectrum(2), X)


def test_weighted_scale_counts_rows():
    weight = np.array([0, 1, 2, 3, 0, 1, 1, 2.0])
    rows = np.repeat(np.arange(8), weight.astype(int))
    choice = KernelChoice("rbf")
    for storage in (np.asarray, sparse.csr_array):
        scale = choice.resolve(storage(X), weight).length_scale
        assert_allclose(scale, choice.resolve(X[rows]).length_scale)


def test_objects_and_matrices():
    assert KernelChoice(kernels.RBF(3.0), 9.0).resolve(X) == kernels.RBF(3.0)
    assert KernelChoice("precomputed").resolve(X) is None
