"""Bagging for classification (tree.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from margin.ensemble import BaggingClassifier
from margin.linear import LogisticRegression, Perceptron
from margin.svm import SVC

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["a", "b", "c"])[Y]


def test_probabilities_are_the_mean_of_the_members():
    model = BaggingClassifier(n_estimators=7, max_features=2, random_state=0).fit(X, NAMES)
    shares = [
        member.predict_proba(X[:, features])
        for member, features in zip(model.estimators_, model.estimators_features_, strict=True)
    ]
    assert_allclose(model.predict_proba(X), np.mean(shares, axis=0))
    assert_array_equal(model.predict(X), model.classes_[np.mean(shares, axis=0).argmax(axis=1)])


def test_members_without_probabilities_vote():
    model = BaggingClassifier(Perceptron(), n_estimators=9, random_state=0).fit(X, Y)
    votes = np.array([member.predict(X) for member in model.estimators_])
    share = np.stack([(votes == k).mean(axis=0) for k in range(3)], axis=1)
    assert_allclose(model.predict_proba(X), share)
    assert model.decision_function(X).shape == (150, 3)


def test_out_of_bag_by_hand():
    """tree.09: each row by the members that have not seen it."""
    model = BaggingClassifier(
        LogisticRegression(), n_estimators=12, oob_score=True, random_state=1
    ).fit(X, Y)
    total = np.zeros((150, 3))
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(150), rows)
        total[out] += member.predict_proba(X[out])
    assert_allclose(model.oob_decision_function_, total / total.sum(axis=1, keepdims=True))
    assert model.oob_score_ == pytest.approx(np.mean(total.argmax(axis=1) == Y))


def test_draws_by_weight_and_by_rows_agree():
    """A member that takes weights sees its rows as often as they were drawn."""
    model = BaggingClassifier(LogisticRegression(), n_estimators=3, random_state=0).fit(X, Y)
    rows = model.estimators_samples_[0]
    alone = LogisticRegression().fit(X[rows], Y[rows])
    assert_allclose(model.estimators_[0].predict_proba(X), alone.predict_proba(X), atol=1e-3)


@pytest.mark.parametrize("base", [LogisticRegression(), SVC()])
def test_answers_do_not_depend_on_jobs_and_take_sparse_rows(base):
    one = BaggingClassifier(base, n_estimators=4, random_state=0).fit(X, Y)
    two = BaggingClassifier(base, n_estimators=4, random_state=0, n_jobs=2).fit(csr_array(X), Y)
    assert_allclose(one.predict_proba(X), two.predict_proba(csr_array(X)), atol=1e-4)


def test_warm_start_adds_members():
    whole = BaggingClassifier(n_estimators=10, random_state=5).fit(X, Y)
    part = BaggingClassifier(n_estimators=4, random_state=5, warm_start=True).fit(X, Y)
    first = part.estimators_[0]
    part.set_params(n_estimators=10).fit(X, Y)
    assert part.estimators_[0] is first
    assert_allclose(part.predict_proba(X), whole.predict_proba(X))
    with pytest.warns(UserWarning, match="without increasing"):
        part.fit(X, Y)
    with pytest.raises(ValueError, match="n_estimators must be at least len"):
        part.set_params(n_estimators=3).fit(X, Y)


def test_weights_are_probabilities_of_draws():
    weight = np.where(Y == 2, 0.0, 1.0)
    model = BaggingClassifier(n_estimators=5, random_state=0).fit(X, Y, sample_weight=weight)
    assert all((Y[rows] < 2).all() for rows in model.estimators_samples_)
    assert model.predict_proba(X).shape == (150, 3)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"oob_score": True, "bootstrap": False}, "bootstrap must be True for an out of bag"),
        ({"oob_score": True, "warm_start": True}, "warm_start must be False for an out of bag"),
        ({"max_samples": 500, "bootstrap": False}, "max_samples must be <= n_samples=150"),
        ({"max_features": 5}, "max_features must be at least 1 and max_features must be <= n_fea"),
        ({"n_estimators": 0}, "n_estimators must be an integer of at least 1, got 0"),
    ],
)
def test_refusals(parameters, text):
    with pytest.raises(ValueError, match="BaggingClassifier") as caught:
        BaggingClassifier(**parameters).fit(X, Y)
    assert text in str(caught.value)


class Offset(DummyClassifier):
    """A classifier whose answers take a parameter."""

    def predict_proba(self, X, offset=None):
        return super().predict_proba(X) + (0.0 if offset is None else offset)


def test_predictions_hand_on_what_is_routed():
    with config_context(enable_metadata_routing=True):
        member = Offset().set_predict_proba_request(offset=True)
        model = BaggingClassifier(member, n_estimators=3).fit(X, Y)
        moved = model.predict_proba(X, offset=2.0)
        np.testing.assert_allclose(moved, model.predict_proba(X) + 2.0)
        np.testing.assert_allclose(model.predict_log_proba(X, offset=2.0), np.log(moved))
        assert model.predict(X, offset=2.0).shape == Y.shape
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        model.predict(X, offset=2.0)
