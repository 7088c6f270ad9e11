"""Discrete AdaBoost (tree.12)."""

from itertools import islice, pairwise
from math import exp, log, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.ensemble.adaboost._discrete import coefficient, discrete_rounds
from margin.ensemble.adaboost._round import EXHAUSTED, PERFECT, Rows, Weak


def test_coefficients_of_the_curriculum():
    """tree.12: an error of 0.1 has odds of 9 and a vote of 2.1972246, halved 1.0986123."""
    assert exp(coefficient(0.1, 2)) == pytest.approx(9.0)
    assert coefficient(0.1, 2) == pytest.approx(2.1972246, abs=1e-7)
    assert coefficient(0.1, 2) / 2 == pytest.approx(1.0986123, abs=1e-7)
    assert coefficient(1 - 1 / 5, 5) == pytest.approx(0.0, abs=1e-12)


def stumps(X, y):
    """The best of all thresholds and signs on the weighted rows, by brute force."""
    cuts = np.concatenate([[-np.inf], (np.unique(X)[1:] + np.unique(X)[:-1]) / 2])
    answers = np.array([(s * (c < X) + (1 - s) * (c >= X)) for c in cuts for s in (0, 1)])

    def train(codes, weight):
        errors = (answers != codes) @ weight
        return answers[errors.argmin()]

    return Weak(train, lambda learner: learner, None)


def rows_of(y, n_classes=2):
    return Rows(y, n_classes, np.ones(len(y)), "AdaBoostClassifier")


def test_every_round_by_hand():
    """tree.12: errors, votes and weights of three rounds against the formulas, step by step."""
    X = np.arange(6.0)
    y = np.array([0, 0, 1, 1, 0, 0])
    weak, weight = stumps(X, y), np.full(6, 1 / 6)
    for state in islice(discrete_rounds(weak, rows_of(y), 1.0, "log"), 1, 4):
        wrong = state.x[-1].learner != y
        error = weight[wrong].sum()
        assert state.x[-1].error == pytest.approx(error)
        assert state.x[-1].vote == pytest.approx(log((1 - error) / error))
        weight = np.where(wrong, weight * (1 - error) / error, weight)
        weight /= weight.sum()
        assert_allclose(state.extras["weight"], weight)
        # The learner just trained is no better than guessing on the new weights.
        assert weight[wrong].sum() == pytest.approx(0.5)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_objective_is_the_exponential_loss(k):
    """tree.12, tree.14: the tracked product equals the loss computed from the votes."""
    rng = np.random.default_rng(k)
    y = rng.integers(k, size=200)
    answers = [np.where(rng.random(200) < 0.55, y, rng.integers(k, size=200)) for _ in range(20)]
    supply = iter(answers)
    weak = Weak(lambda codes, weight: next(supply), lambda learner: learner, None)
    scores = np.zeros((200, k))
    coded = np.where(np.eye(k)[y] == 1, 1.0, -1.0 / (k - 1))
    before = 1.0
    for state in islice(discrete_rounds(weak, rows_of(y, k), 0.7, "log"), 1, 12):
        if state.done:
            break
        last = state.x[-1]
        step = (k - 1) ** 2 / k * last.vote
        scores += step * np.where(np.eye(k)[last.learner] == 1, 1.0, -1.0 / (k - 1))
        assert state.objective == pytest.approx(np.mean(np.exp(-(coded * scores).sum(1) / k)))
        assert state.objective < before
        before = state.objective
    assert len(state.x) >= 3


def test_two_classes_fall_by_the_known_factor():
    X, y = np.arange(6.0), np.array([0, 0, 1, 1, 0, 0])
    states = list(islice(discrete_rounds(stumps(X, y), rows_of(y), 1.0, "log"), 4))
    for before, after in pairwise(states):
        error = after.x[-1].error
        assert after.objective / before.objective == pytest.approx(2 * sqrt(error * (1 - error)))


def test_a_learner_without_error_decides_alone():
    y = np.array([0, 1, 1, 0])
    supply = iter([np.array([0, 1, 1, 1]), y])
    weak = Weak(lambda codes, weight: next(supply), lambda learner: learner, None)
    *_, last = list(islice(discrete_rounds(weak, rows_of(y), 1.0, "log"), 3))
    assert last.done == PERFECT
    assert last.objective == 0.0
    assert last.x[1].vote > last.x[0].vote


def test_nothing_better_than_guessing_is_left():
    y = np.array([0, 1, 1, 0])
    supply = iter([np.array([0, 1, 1, 1]), np.array([1, 0, 1, 1])])
    weak = Weak(lambda codes, weight: next(supply), lambda learner: learner, None)
    *_, last = list(islice(discrete_rounds(weak, rows_of(y), 1.0, "log"), 3))
    assert last.done == EXHAUSTED
    assert len(last.x) == 1


def test_a_useless_first_learner_is_refused():
    y = np.array([0, 1, 1, 0])
    weak = Weak(lambda codes, weight: 1 - y, lambda learner: learner, None)
    with pytest.raises(ValueError, match="AdaBoostClassifier: estimator must be better than"):
        list(islice(discrete_rounds(weak, rows_of(y), 1.0, "log"), 2))


def test_votes_by_odds_weigh_the_rows_alike():
    """tree.12: the variant that adds the odds themselves."""
    X, y = np.arange(6.0), np.array([0, 0, 1, 1, 0, 0])
    logs = list(islice(discrete_rounds(stumps(X, y), rows_of(y), 1.0, "log"), 4))[-1]
    odds = list(islice(discrete_rounds(stumps(X, y), rows_of(y), 1.0, "odds"), 4))[-1]
    assert_allclose(logs.extras["weight"], odds.extras["weight"])
    assert_allclose([r.vote for r in odds.x], np.exp([r.vote for r in logs.x]))


@pytest.mark.parametrize("votes", ["log", "odds"])
def test_a_huge_rate_leaves_finite_weights_and_losses(votes):
    X, y = np.arange(6.0), np.array([0, 0, 1, 1, 0, 0])
    states = list(discrete_rounds(stumps(X, y), rows_of(y), 1e4, votes))
    assert "reached infinite values" in states[-1].stuck
    assert states[-1].x
    for state in states:
        assert np.isfinite(state.objective)
        assert np.isfinite(state.extras["weight"]).all()
        assert all(np.isfinite(r.vote) for r in state.x)
