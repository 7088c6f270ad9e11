"""Tables, matrices and lists of objects at the border."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from margin import kernels, svm
from margin.svm import SVC
from margin.svm._kernel_input import KernelChoice, check_matrix, takes_objects

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
    with pytest.raises(TypeError, match="a dense array"):
        SVC(kernel="precomputed").fit(sparse.csr_array(np.eye(4)), [0, 1, 0, 1])


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


@pytest.mark.parametrize("name", ["SVC", "NuSVC", "SVR", "NuSVR", "OneClassSVM"])
def test_rows_of_negative_weight_are_left_out(name):
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(40, 2)), np.arange(40) % 2
    weight = np.where(np.arange(40) % 5 == 0, -0.5, 1.0)
    kept = weight > 0
    ours = getattr(svm, name)(gamma=0.7, tol=1e-8)
    ask = "predict" if name.endswith("SVR") else "decision_function"
    fewer = getattr(clone(ours).fit(rows[kept], labels[kept]), ask)(rows)
    weighted = getattr(clone(ours).fit(rows, labels, sample_weight=weight), ask)(rows)
    np.testing.assert_allclose(weighted, fewer, atol=1e-6)
    with pytest.raises(ValueError, match="all samples have zero or negative weights"):
        ours.fit(rows, labels, sample_weight=np.minimum(weight, 0))


def test_parameters_of_a_kernel_are_searched():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 2))
    labels = (np.hypot(*rows.T) < 1).astype(int)
    grid = {"kernel__length_scale": [1e-3, 1.0], "C": [1.0]}
    search = GridSearchCV(SVC(kernel=kernels.RBF(5.0)), grid, cv=3).fit(rows, labels)
    assert search.best_params_["kernel__length_scale"] == 1.0
    assert search.best_estimator_.kernel == kernels.RBF(1.0)
    same = SVC(kernel=kernels.RBF(1.0)).fit(rows, labels).decision_function(rows)
    assert_allclose(search.decision_function(rows), same)
    assert svm.SVR(kernel="rbf").set_params(C=2.0).C == 2.0
