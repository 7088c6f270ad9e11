"""Tables, matrices and lists of objects at the border."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin import kernels
from margin.core.objects import count, take
from margin.svm import SVC
from margin.svm._kernel_data import fit_data, resolved, takes_objects

X = np.random.default_rng(0).normal(size=(8, 2))


def test_what_is_a_list_of_objects():
    assert not takes_objects("rbf", X)
    assert not takes_objects(kernels.RBF(), X)
    assert not takes_objects(lambda A, B: A @ B.T, X)
    assert not takes_objects(lambda A, B: A @ B.T, X.tolist())
    assert not takes_objects(lambda A, B: A, sparse.csr_array(X))
    assert takes_objects(lambda A, B: A, ["a", "b"])
    assert takes_objects(lambda A, B: A, [np.zeros(2), np.zeros(3)])


def test_weighted_scale_counts_rows():
    weight = np.array([0, 1, 2, 3, 0, 1, 1, 2.0])
    rows = np.repeat(np.arange(8), weight.astype(int))
    for storage in (np.asarray, sparse.csr_array):
        found = resolved(SVC(), storage(X), weight)
        assert_allclose(found.length_scale, resolved(SVC(), X[rows]).length_scale)


def test_parts_of_both():
    assert take(["a", "b", "c"], np.array([2, 0])) == ["c", "a"]
    assert take(X, np.array([1])).shape == (1, 2)
    assert (count(X), count(["a"])) == (8, 1)


def test_bad_lists():
    model = SVC(kernel=lambda A, B: np.ones((len(A), len(B))))
    for objects, y, text in (
        ([], [], "at least 1 sample"),
        (["a"], [0, 1], "y must be of length 1"),
        (["a"], None, "requires y"),
        (["a", "b"], [[0], [1]], "one finite value per object"),
    ):
        with pytest.raises(ValueError, match=text):
            fit_data(model, objects, y, None, "classes")
    with pytest.raises(ValueError, match="a dense array"):
        SVC(kernel="precomputed").fit(sparse.csr_array(np.eye(4)), [0, 1, 0, 1])
