"""Thresholds and factors."""

import numpy as np
import pytest

from margin.evaluation import Metric
from margin.evaluation.models._rule import Rule, best_threshold, tuned_rule

RNG = np.random.default_rng(0)
COSTS = ((0.0, 1.0), (20.0, 0.0))


@pytest.mark.parametrize(
    "metric",
    [
        Metric("accuracy", (0, 1), 1),
        Metric("balanced accuracy", (0, 1), 1),
        Metric("F1", (0, 1), 1),
        Metric("Matthews correlation", (0, 1), 1),
        Metric("cost", (0, 1), 1, COSTS),
    ],
    ids=lambda m: m.name,
)
@pytest.mark.parametrize("positive", [0, 1])
def test_no_other_threshold_is_much_better(metric, positive):
    metric = Metric(metric.name, metric.classes, positive, metric.costs)
    hit = RNG.random(300) < 0.15
    value = np.round(hit + RNG.normal(size=300), 1)
    y = np.where(hit, positive, 1 - positive)

    def score(threshold):
        return metric(y, np.where(value >= threshold, positive, 1 - positive))

    cuts = [*np.unique(value), np.inf]
    best = max(map(score, cuts))
    spread = best - min(map(score, cuts))
    chosen = best_threshold(metric, hit, value, positive)
    assert score(chosen) >= best - 0.8 * 0.5 / np.sqrt(hit.sum()) * spread - 1e-12


def test_the_middle_of_a_gap_is_taken():
    value = np.array([0.0, 0.1, 0.9, 1.0])
    hit = value > 0.5
    assert best_threshold(Metric("accuracy", (0, 1), 1), hit, value) == 0.5


@pytest.mark.parametrize(("hits", "answer"), [(True, True), (False, False)])
def test_all_or_none(hits, answer):
    value = np.linspace(0, 1, 9)
    threshold = best_threshold(Metric("accuracy", (0, 1), 1), np.full(9, hits), value)
    assert ((value >= threshold) == answer).all()


def test_a_cost_of_a_miss_lowers_the_threshold():
    p = RNG.random(20000)
    hit = RNG.random(20000) < p
    threshold = best_threshold(Metric("cost", (0, 1), 1, COSTS), hit, p)
    assert threshold == pytest.approx(1 / 21, abs=0.02)  # fp / (fp + fn): Bayes' rule
    balanced = best_threshold(Metric("balanced accuracy", (0, 1), 1), hit, p**3)
    assert balanced == pytest.approx(0.5**3, abs=0.03)


def test_rare_classes_of_many_are_answered_too():
    y = np.repeat([0, 1, 2], [800, 150, 50])
    centre = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])[y] + RNG.normal(size=(1000, 2))
    distance = ((centre[:, None] - np.array([[0, 0], [1.5, 0], [0, 1.5]])) ** 2).sum(axis=2)
    p = np.exp(-distance / 2) * np.array([0.8, 0.15, 0.05])
    p /= p.sum(axis=1, keepdims=True)
    metric = Metric("balanced accuracy", (0, 1, 2))
    rule = tuned_rule(metric, np.arange(3), y, p)
    assert metric(y, rule.answers(p)) > metric(y, p.argmax(axis=1)) + 0.1
    assert metric(y, rule.answers(p)) > metric(y, (p / [0.8, 0.15, 0.05]).argmax(axis=1)) - 0.03


def test_expected_costs_decide_among_many():
    costs = ((0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (10.0, 10.0, 0.0))
    p = np.array([[0.8, 0.0, 0.2], [0.95, 0.0, 0.05]])
    assert Rule(costs=costs).answers(p).tolist() == [2, 0]
    assert Rule().answers(p).tolist() == [0, 0]
