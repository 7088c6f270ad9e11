"""Scores as functions of plain arrays."""

import numpy as np
import pytest
from sklearn import metrics

from margin.evaluation.table._scores import SCORES, Stakes, codes_of, labels_of, positive_rates

RNG = np.random.default_rng(5)


def test_places_of_labels():
    y = np.array(["b", "a", "b"])
    assert labels_of(Stakes(), y) == ["a", "b"]
    assert codes_of(Stakes(("a", "b", "c")), y).tolist() == [1, 0, 1]


def test_two_classes_are_scored_by_the_positive_one():
    y, guess = RNG.integers(0, 2, (2, 60))
    p = RNG.random(60)
    both = np.column_stack([1 - p, p])
    for positive, own in ((1, p), (0, 1 - p)):
        stakes = Stakes((0, 1), positive)
        assert SCORES["F1"](stakes, y, guess) == pytest.approx(
            metrics.f1_score(y, guess, pos_label=positive)
        )
        assert SCORES["average precision"](stakes, y, both) == pytest.approx(
            metrics.average_precision_score(y == positive, own)
        )
        assert SCORES["ROC AUC"](stakes, y, both) == pytest.approx(metrics.roc_auc_score(y, p))


def test_more_classes_are_averaged():
    y, guess = RNG.integers(0, 3, (2, 90))
    p = RNG.random((90, 3))
    p /= p.sum(axis=1, keepdims=True)
    stakes = Stakes((0, 1, 2))
    assert SCORES["F1"](stakes, y, guess) == pytest.approx(
        metrics.f1_score(y, guess, average="macro")
    )
    assert SCORES["ROC AUC"](stakes, y, p) == pytest.approx(
        metrics.roc_auc_score(y, p, multi_class="ovr")
    )
    assert SCORES["log loss"](stakes, y, p) == pytest.approx(metrics.log_loss(y, p))


def test_a_single_class_has_no_order():
    p = RNG.random((5, 2))
    assert np.isnan(SCORES["ROC AUC"](Stakes((0, 1)), np.zeros(5, dtype=int), p))


def test_costs_of_answers():
    stakes = Stakes(("no", "yes"), costs=((0, 1), (10, -1)))
    y, guess = np.array(["no", "no", "yes", "yes"]), np.array(["no", "yes", "no", "yes"])
    assert SCORES["cost"](stakes, y, guess) == (0 + 1 + 10 - 1) / 4


def test_rates_of_counts_stay_positive():
    assert positive_rates(np.array([0.0, 4.0]), np.array([-3.0, 1.0])).tolist() == [0.002, 1.0]
    y = RNG.poisson(3.0, 50)
    assert SCORES["D² Poisson"](Stakes(), y, np.full(50, y.mean())) == pytest.approx(0.0, abs=1e-12)
