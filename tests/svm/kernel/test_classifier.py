"""The outline that SVC and NuSVC share, and the answers of all classifiers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

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
    model = machine(probability=True).fit(X, y)
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
    two = SVC(probability=True).fit(X[:100], NAMES[:100])
    p = two.predict_proba(X[:100])
    assert_allclose(p.sum(axis=1), 1)
    assert_array_equal(two.classes_[p.argmax(axis=1)], two.predict(X[:100]))


def test_tags_follow_the_kernel():
    assert SVC().__sklearn_tags__().input_tags.sparse
    tags = SVC(kernel="precomputed").__sklearn_tags__().input_tags
    assert tags.pairwise
    assert not tags.sparse
