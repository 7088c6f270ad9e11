"""Tables, matrices and lists of objects at the border."""

import numpy as np
import pytest
from scipy import sparse

from margin import kernels
from margin.svm import SVC
from margin.svm._kernel_choice import KernelChoice
from margin.svm._kernel_input import check_matrix

X = np.random.default_rng(0).normal(size=(8, 2))


def test_parameters_become_a_choice():
    choice = SVC(kernel="poly", gamma=0.5, degree=2, coef0=1)._choice()
    assert choice.resolve(X) == kernels.Polynomial(2, 0.5, 1.0)
    assert SVC()._choice("linear").resolve(X) == kernels.Linear()
    assert isinstance(choice, KernelChoice)


@pytest.mark.parametrize(
    ("name", "value"),
    [("kernel", "magic"), ("gamma", 0.0), ("gamma", "wide"), ("degree", 0), ("coef0", np.inf)],
)
def test_parameters_are_refused(name, value):
    with pytest.raises(ValueError, match=f"SVC: {name} must be"):
        SVC(**{name: value})._check_kernel()


def test_what_another_estimator_saw():
    other = SVC().fit(X, np.arange(8) % 2)
    model = SVC()
    model._keep_input(other)
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")


def test_matrices_are_square_and_symmetric():
    for K, text in ((np.ones((2, 3)), "square matrix"), (np.triu(np.ones((2, 2))), "symmetric")):
        with pytest.raises(ValueError, match=f"SVC: X with kernel='precomputed' must be .*{text}"):
            check_matrix("SVC", K)


def test_bad_lists():
    model = SVC(kernel=lambda A, B: np.ones((len(A), len(B))))
    for objects, y, text in (
        ([], [], "at least 1 sample"),
        (["a"], [0, 1], "y must be of length 1"),
        (["a"], None, "requires y"),
        (["a", "b"], [[0], [1]], "one finite value per object"),
    ):
        with pytest.raises(ValueError, match=text):
            model._training(objects, y, None, "classes")
    with pytest.raises(ValueError, match="a dense array"):
        SVC(kernel="precomputed").fit(sparse.csr_array(np.eye(4)), [0, 1, 0, 1])
