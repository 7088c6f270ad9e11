"""Scores in words."""

import pytest

from margin.evaluation.table._metric import METRICS, Metric
from margin.evaluation.table._metric_words import explained

COSTS = ((0, 1), (10, 0))


@pytest.mark.parametrize("name", [*METRICS["classification"], *METRICS["regression"]])
def test_every_score_is_explained(name):
    text = explained(Metric(name, ("no", "yes"), "yes", COSTS), "fraud")
    assert text[0].isupper()
    assert text.endswith(".")
    assert "{" not in text


def test_costs_are_told():
    text = explained(Metric("cost", ("no", "yes"), "yes", COSTS), "fraud")
    assert "1 for no answered by yes, 10 for yes answered by no" in text


def test_many_costs_are_counted():
    costs = tuple(tuple(float(i != j) for j in range(4)) for i in range(4))
    assert "9 more" in explained(Metric("cost", (0, 1, 2, 3), 3, costs), "y")


def test_the_score_of_always_the_same_answer():
    assert "scores 0.250" in explained(Metric("balanced accuracy", tuple("abcd")), "y")
    assert "fraud = yes" in explained(Metric("F1", ("no", "yes"), "yes"), "fraud")
    assert "averaged over the classes" in explained(Metric("F1", ("a", "b", "c")), "y")
