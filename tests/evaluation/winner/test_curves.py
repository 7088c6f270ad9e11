"""Curves over thresholds."""

import numpy as np
import pytest
from sklearn import metrics

from margin.evaluation.winner._curves import decision_curves

RNG = np.random.default_rng(0)


def test_they_are_those_of_scikit_learn():
    y = RNG.choice(["no", "yes"], 120, p=[0.8, 0.2])
    p = np.clip(0.3 * (y == "yes") + 0.3 * RNG.random(120), 0, 1)
    answers = np.where(p >= 0.35, "yes", "no")
    curves = decision_curves(y, p, answers, positive="yes", threshold=0.35)
    assert curves.roc_auc == metrics.roc_auc_score(y == "yes", p)
    assert curves.average_precision == metrics.average_precision_score(y == "yes", p)
    area = metrics.auc(curves.false_positive_rate, curves.true_positive_rate)
    assert area == pytest.approx(curves.roc_auc)
    fpr, recall, precision = curves.chosen
    assert recall == metrics.recall_score(y, answers, pos_label="yes")
    assert precision == metrics.precision_score(y, answers, pos_label="yes")
    assert fpr == pytest.approx(((answers == "yes") & (y == "no")).sum() / (y == "no").sum())
    assert curves.share == (y == "yes").mean()
    assert curves.text.startswith("At the threshold 0.35, ")


def test_many_points_are_thinned_and_keep_their_ends():
    y, p = RNG.integers(0, 2, 9000), RNG.random(9000)
    curves = decision_curves(y, p, (p > 2).astype(int), positive=1)
    assert len(curves.false_positive_rate) <= 400
    assert (curves.false_positive_rate[0], curves.true_positive_rate[-1]) == (0.0, 1.0)
    assert curves.chosen == (0.0, 0.0, 0.0)
    assert curves.text == "By the answers given, no row is taken for 1."


def test_one_class_has_no_curve():
    assert decision_curves(np.ones(4), np.arange(4.0), np.ones(4), positive=1) is None
