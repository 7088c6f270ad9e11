"""What a model must beat."""

import numpy as np
import pytest

from margin.evaluation import Improvement, baselines

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
Y = np.repeat(["a", "b", "c"], [110, 60, 30])


def test_majority_accuracy_is_the_largest_class_frequency():
    """evaluation.07"""
    model = baselines("classification")["majority class"].fit(X, Y)
    assert model.score(X, Y) == 110 / 200


def test_guessing_agrees_by_chance_alone():
    """evaluation.07: the expected accuracy is the sum of squared class frequencies."""
    guess = baselines("classification", guess=True)["stratified guess"]
    y = np.tile(Y, 200)
    accuracy = guess.fit(X, Y).score(np.zeros((len(y), 3)), y)
    assert accuracy == pytest.approx(0.55**2 + 0.3**2 + 0.15**2, abs=0.01)


def test_mean_scores_zero_on_its_own_rows():
    """evaluation.07"""
    y = RNG.normal(size=200)
    assert baselines("regression")["mean"].fit(X, y).score(X, y) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_rule_asks_one_question(task):
    """evaluation.07: a step in one column is found exactly, with two answers."""
    step = (X[:, 1] > 0.3).astype(float)
    y = np.where(step, "up", "down") if task == "classification" else 3 * step
    rule = baselines(task)["depth-1 rule"].fit(X, y)
    assert rule.score(X, y) == 1.0
    assert len(np.unique(rule.predict(X))) == 2


def test_improvement_in_numbers_and_words():
    """evaluation.07: improvement over the baseline, with a person as the yardstick."""
    gain = Improvement(0.91, 0.70, n_test=1000, human=0.98)
    assert gain.gain == pytest.approx(0.21)
    assert gain.errors_removed == pytest.approx(0.7)
    assert gain.to_human == pytest.approx(0.75)
    assert gain.examples == 210
    assert "0.210 above the baseline, 70 % of the way to perfect" in gain.text


@pytest.mark.parametrize(
    ("score", "baseline", "text"),
    [(0.5, 0.5, "no better than the baseline"), (0.4, 0.5, "0.100 below the baseline")],
)
def test_no_improvement_is_said_plainly(score, baseline, text):
    assert Improvement(score, baseline, n_test=10).text == text


def test_a_perfect_baseline_leaves_nothing_to_remove():
    gain = Improvement(1.0, 1.0, n_test=10, human=1.0)
    assert gain.errors_removed == 0.0
    assert gain.to_human is None
