"""The outline that SVC and NuSVC share, and the answers of all classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import svm as peer
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from margin.svm import SVC, NuSVC
from margin.svm.kernel._classifier import KernelClassifier


@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_parameters_are_refused_before_the_data_are_read(machine):
    strength = {"C": 0.0} if machine is SVC else {"nu": 0.0}
    assert issubclass(machine, KernelClassifier)
    with pytest.raises(ValueError, match=f"{machine.__name__}: {next(iter(strength))} must be"):
        machine(**strength).fit(None, None)
    with pytest.raises(ValueError, match=f"{machine.__name__}: multi_class must be one of"):
        machine(multi_class="all").fit(None, None)


@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_probabilities_only_where_asked_for(machine):
    X, y = np.arange(12.0)[:, None], np.repeat([0, 1], 6)
    assert not hasattr(machine(), "predict_proba")
    model = machine(probability="sigmoid").fit(X, y)
    assert np.allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    assert (model.predict(X) == y).all()


X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]


def test_decision_and_prediction_agree():
    model = SVC().fit(X, NAMES)
    assert_array_equal(model.classes_[model.decision_function(X).argmax(axis=1)], model.predict(X))
    pairs = SVC(decision_function_shape="ovo").fit(X, NAMES)
    assert pairs.decision_function(X).shape == (150, 3)
    rest = SVC(multi_class="ovr").fit(X, NAMES)
    assert_array_equal(rest.classes_[rest.decision_function(X).argmax(axis=1)], rest.predict(X))


def test_answers_do_not_depend_on_company_or_threads():
    model = SVC(n_jobs=1).fit(X, NAMES)
    whole = model.decision_function(X)
    assert_array_equal(model.decision_function(X[7:8]), whole[7:8])
    assert_array_equal(model.set_params(n_jobs=2).decision_function(X), whole)


def test_probabilities_only_on_request():
    with pytest.raises(AttributeError, match="predict_proba"):
        _ = SVC().fit(X, NAMES).predict_proba
    two = SVC(probability="sigmoid").fit(X[:100], NAMES[:100])
    p = two.predict_proba(X[:100])
    assert_allclose(p.sum(axis=1), 1)
    assert_array_equal(two.classes_[p.argmax(axis=1)], two.predict(X[:100]))


def test_tags_follow_the_kernel():
    assert SVC().__sklearn_tags__().input_tags.sparse
    tags = SVC(kernel="precomputed").__sklearn_tags__().input_tags
    assert tags.pairwise
    assert not tags.sparse


def test_words_of_probability():
    for word in (True, False):
        with pytest.warns(FutureWarning, match="`probability` parameter were deprecated"):
            model = SVC(probability=word).fit(X, NAMES)
    assert not hasattr(model, "predict_proba")
    model.probability = "sigmoid"
    with pytest.raises(NotFittedError, match="not available when fitted with probability=False"):
        model.predict_proba(X)


def test_platt_in_the_sign_of_libsvm():
    model = SVC(probability="sigmoid").fit(X[:100], NAMES[:100])
    with pytest.warns(FutureWarning, match="`probA_` was deprecated"):
        slope = model.probA_
    with pytest.warns(FutureWarning, match="`probB_` was deprecated"):
        offset = model.probB_
    by_hand = 1.0 / (1.0 + np.exp(slope * model.decision_function(X) + offset))
    assert_allclose(model.predict_proba(X)[:, 1], by_hand)
    with pytest.warns(FutureWarning):
        assert SVC().fit(X, NAMES).probA_.shape == (0,)


@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csr_matrix, sparse.lil_array])
def test_sparse_rows_have_sparse_coefficients(container):
    dense, thin = SVC(kernel="linear").fit(X, NAMES), SVC(kernel="linear")
    thin.fit(container(X), NAMES)
    for name in ("dual_coef_", "support_vectors_", "coef_"):
        shown = getattr(thin, name)
        assert sparse.issparse(shown)
        assert isinstance(shown, sparse.sparray) == (container is not sparse.csr_matrix)
        assert_allclose(shown.toarray(), getattr(dense, name), atol=1e-9)
    with pytest.raises(ValueError, match="read-only"):
        dense.coef_[0, 0] = 0.0


@pytest.mark.filterwarnings("ignore:.*not positive semi-definite")
def test_probabilities_of_an_indefinite_kernel():
    rows, y = load_iris(return_X_y=True)
    model = SVC(kernel="sigmoid", gamma=1, probability="sigmoid").fit(rows, y)
    P = model.predict_proba(rows)
    assert_allclose(P.sum(axis=1), 1.0)
    assert (P >= 0).all()


@pytest.mark.parametrize("machine", [SVC, NuSVC])
def test_what_libsvm_tells_of_a_fit(machine):
    X, y = load_iris(return_X_y=True)
    theirs = getattr(peer, machine.__name__)(class_weight={0: 1.0, 1: 0.5, 2: 0.8}).fit(X, y)
    ours = machine(class_weight={0: 1.0, 1: 0.5, 2: 0.8}).fit(X, y)
    assert_allclose(ours.class_weight_, theirs.class_weight_)
    assert ours.shape_fit_ == theirs.shape_fit_ == X.shape
    assert ours.fit_status_ == theirs.fit_status_ == 0
    with pytest.warns(ConvergenceWarning):
        cut = machine(max_iter=1).fit(X, y)
    assert cut.fit_status_ == 1
    assert machine().fit(X, y).class_weight_.tolist() == [1.0, 1.0, 1.0]
