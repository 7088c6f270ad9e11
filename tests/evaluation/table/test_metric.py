"""The score by which models are compared."""

import numpy as np
import pytest
from sklearn import metrics

from margin.evaluation import Metric, choose_metric

RNG = np.random.default_rng(0)


def test_scores_are_those_of_scikit_learn():
    y, p = RNG.integers(0, 3, (2, 50))
    assert Metric("accuracy")(y, p) == metrics.accuracy_score(y, p)
    assert Metric("balanced accuracy")(y, p) == metrics.balanced_accuracy_score(y, p)
    assert Metric("R²")(y, p + 0.5) == metrics.r2_score(y, p + 0.5)


def test_a_fold_without_a_class_is_scored_on_those_it_has():
    assert Metric("balanced accuracy")(np.array([0, 0, 1]), np.array([0, 2, 1])) == 0.75


@pytest.mark.parametrize(
    ("counts", "name"),
    [
        ([20, 80], "accuracy"),
        ([19, 81], "balanced accuracy"),
        ([10] * 10, "accuracy"),
        ([3] + [10] * 9, "balanced accuracy"),
    ],
)
def test_classes_of_unlike_size_are_balanced(counts, name):
    assert choose_metric("classification", np.repeat(np.arange(len(counts)), counts)).name == name


def test_numbers_are_scored_by_r2():
    assert choose_metric("regression", RNG.normal(size=9)).name == "R²"
