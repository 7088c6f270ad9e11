"""Copies of a base model, each with a seed of its own."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import make_pipeline

from margin.ensemble.members._members import base_model, fit_weighted, seeded
from margin.linear import GaussianNB, Perceptron, SGDClassifier


def test_seeds_reach_into_compositions_and_leave_the_base_alone():
    base = make_pipeline(SGDClassifier(random_state=None))
    one = seeded(base, np.random.default_rng(0))
    two = seeded(base, np.random.default_rng(1))
    assert base[0].random_state is None
    assert one[0].random_state != two[0].random_state
    assert one[0].random_state == seeded(base, np.random.default_rng(0))[0].random_state


def test_only_estimators_are_copied():
    assert isinstance(base_model("Owner", None, GaussianNB()), GaussianNB)
    for wrong in (GaussianNB, "tree", 3):
        with pytest.raises(ValueError, match="Owner: estimator must be an estimator or None"):
            base_model("Owner", wrong, GaussianNB())


class Counting(ClassifierMixin, BaseEstimator):
    """Knows no weights; remembers what it saw."""

    def fit(self, X, y):
        self.seen_, self.labels_ = X, y
        return self


def test_without_sample_weight_rows_are_drawn_by_weight():
    X, y = np.arange(4.0)[:, None], np.array([0, 1, 0, 1])
    weight = np.array([0.0, 3.0, 0.0, 1.0])
    seen = np.concatenate(
        [
            fit_weighted(Counting(), X, y, weight, np.random.default_rng(s)).seen_[:, 0]
            for s in range(500)
        ]
    )
    assert set(seen) == {1.0, 3.0}
    assert abs(np.mean(seen == 1.0) - 0.75) < 0.04


def test_weights_are_handed_on_where_they_are_taken():
    X, y = np.array([[0.0], [1.0], [10.0]]), np.array([0, 1, 1])
    model = fit_weighted(GaussianNB(), X, y, np.array([1.0, 1.0, 0.0]), np.random.default_rng(0))
    assert model.theta_[1, 0] == pytest.approx(1.0)
    assert isinstance(seeded(Perceptron(), np.random.default_rng(0)), Perceptron)


def test_copies_keep_what_is_not_a_parameter():
    """Requests of metadata and the container of answers, which a bare copy would lose."""
    model = Perceptron(alpha=0.5)
    assert seeded(model, np.random.default_rng(0)).alpha == 0.5
    with config_context(enable_metadata_routing=True):
        asked = Perceptron().set_fit_request(sample_weight=True)
        copy = seeded(asked, np.random.default_rng(0))
    assert copy._metadata_request.fit.requests["sample_weight"] is True
    assert copy.random_state == seeded(model, np.random.default_rng(0)).random_state


def test_parameters_that_can_be_changed_are_not_shared():
    shares = {0: 1.0, 1: 2.0}
    copy = seeded(Perceptron(class_weight=shares), np.random.default_rng(0))
    assert copy.class_weight == shares
    assert copy.class_weight is not shares
