"""Classifiers tuned to a score."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from margin.evaluation import Metric, TunedClassifier
from margin.evaluation.models._tuned_classifier import believed, fit_weighed, takes_weights

BALANCED = Metric("balanced accuracy", (0, 1), 1)


def rare(n=1200, share=0.04, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return rng.normal(size=(n, 3)) + 1.2 * y[:, None], y


@pytest.mark.parametrize("weights", ["none", "balanced"])
@pytest.mark.parametrize(
    "model", [LogisticRegression(), GaussianNB(), LinearSVC(), KNeighborsClassifier(15)], ids=repr
)
def test_a_rare_class_is_found(model, weights):
    X, y = rare()
    X_new, y_new = rare(seed=1)
    plain = BALANCED(y_new, clone(model).fit(X, y).predict(X_new))
    tuned = TunedClassifier(model, BALANCED, weights=weights).fit(X, y)
    assert BALANCED(y_new, tuned.predict(X_new)) > max(plain, 0.75)


def test_a_threshold_makes_weights_needless_for_a_right_model():
    X, y = rare(3000)
    X_new, y_new = rare(6000, seed=1)
    scores = [
        BALANCED(
            y_new,
            TunedClassifier(LogisticRegression(), BALANCED, weights=w).fit(X, y).predict(X_new),
        )
        for w in ("none", "balanced")
    ]
    assert scores[0] == pytest.approx(scores[1], abs=0.03)


def test_probabilities_stay_those_of_the_model():
    X, y = rare()
    tuned = TunedClassifier(LogisticRegression(), BALANCED).fit(X, y)
    np.testing.assert_allclose(
        tuned.predict_proba(X), LogisticRegression().fit(X, y).predict_proba(X)
    )
    assert tuned.rule_.threshold < 0.2
    assert tuned.n_features_in_ == 3
    assert not hasattr(TunedClassifier(LinearSVC(), BALANCED), "predict_proba")
    assert hasattr(TunedClassifier(LinearSVC(), BALANCED), "decision_function")


class Guess(ClassifierMixin, BaseEstimator):
    """Neither probabilities nor weights."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_model_that_only_answers_is_left_alone():
    X, y = rare()
    tuned = TunedClassifier(Guess(), BALANCED).fit(X, y)
    assert tuned.rule_ is None
    assert (tuned.predict(X) == 0).all()
    assert not takes_weights(Guess())


@pytest.mark.parametrize("n_rare", [1, 2, 5])
def test_hardly_any_rows_of_a_class(n_rare):
    rng = np.random.default_rng(0)
    X, y = (
        rng.normal(size=(40, 2)),
        np.r_[np.ones(n_rare, dtype=int), np.zeros(40 - n_rare, dtype=int)],
    )
    tuned = TunedClassifier(LogisticRegression(), BALANCED).fit(X, y)
    assert set(tuned.predict(X)) <= {0, 1}


def test_many_rows_hold_out_a_third():
    X, y = rare(6000, 0.1)
    assert TunedClassifier(LogisticRegression(), BALANCED).fit(X, y).rule_.threshold < 0.3


def test_three_classes_as_text():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [400, 60, 30])
    X = (
        rng.normal(size=(490, 2))
        + 1.3 * np.array([[0, 0], [1, 0], [0, 1]])[np.searchsorted(["a", "b", "c"], y)]
    )
    metric = Metric("balanced accuracy", ("a", "b", "c"))
    tuned = TunedClassifier(LogisticRegression(), metric).fit(X, y)
    assert metric(y, tuned.predict(X)) > metric(y, LogisticRegression().fit(X, y).predict(X)) + 0.1


def test_weights_by_whatever_a_model_takes():
    X, y = rare(400, 0.1)
    weight = np.where(y == 1, len(y) / (2 * y.sum()), len(y) / (2 * (1 - y).sum()))
    ours = fit_weighed(LogisticRegression(), X, y, "balanced")
    np.testing.assert_allclose(
        ours.coef_, LogisticRegression().fit(X, y, sample_weight=weight).coef_
    )
    assert fit_weighed(LinearDiscriminantAnalysis(), X, y, "balanced").priors.tolist() == [0.5, 0.5]
    assert fit_weighed(LinearDiscriminantAnalysis(), X, y, "none").priors is None
    assert fit_weighed(KNeighborsClassifier(), X, y, "balanced").get_params()["n_neighbors"] == 5


def test_the_seed_reaches_the_model_inside():
    X, y = rare(300)
    two = [
        TunedClassifier(RandomForestClassifier(5), BALANCED, random_state=4)
        .fit(X, y)
        .predict_proba(X)
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*two)


def test_decision_values_stand_for_probabilities():
    X, y = rare(200, 0.3)
    model = Perceptron().fit(X, y)
    values = believed(model, X)
    np.testing.assert_array_equal(values[:, 1], model.decision_function(X))


def test_other_weights_are_refused():
    with pytest.raises(ValueError, match="weights must be 'none' or 'balanced', got 'some'"):
        TunedClassifier(LogisticRegression(), BALANCED, weights="some").fit(*rare(50, 0.3))
