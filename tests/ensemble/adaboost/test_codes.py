"""Boosting through a coding matrix (tree.16)."""

from itertools import islice
from math import log, sqrt

import numpy as np
import pytest

from margin.ensemble.adaboost._codes import code_rounds, split_classes
from margin.ensemble.adaboost._round import Rows, Weak


def test_groups_tell_the_heavy_pair_apart():
    codes = np.repeat(np.arange(4), 10)
    mislabels = np.full((40, 4), 1e-6)
    mislabels[codes == 0, 2] = 1.0
    for seed in range(20):
        side = split_classes(mislabels, codes, np.random.default_rng(seed))
        assert side.sum() == 2
        assert side[0] != side[2]


def weak_groups(y, rng, right=0.6):
    """Learners for two groups whose weighted accuracy is at most a little above ``right``."""

    def train(target, weight):
        order = rng.permutation(len(y))
        enough = np.searchsorted(np.cumsum(weight[order]), right) + 1
        answer = ~target
        answer[order[: enough if right > 0 else 0]] = target[order[: enough if right > 0 else 0]]
        return answer

    return Weak(train, lambda learner: learner, None)


def test_weak_learners_for_two_groups_suffice_for_many_classes():
    """tree.16: accuracy 0.6 on two groups drives the error of six classes to zero."""
    rng = np.random.default_rng(0)
    y = rng.integers(6, size=120)
    rows = Rows(y, 6, np.ones(120), "AdaBoostClassifier")
    votes = np.zeros((120, 6))
    errors = []
    for state in islice(code_rounds(weak_groups(y, rng), rows, 1.0, rng), 1, 600):
        if state.done:
            break
        last = state.x[-1]
        votes += last.vote * (last.side[None, :] == last.learner[:, None])
        errors.append(np.mean(votes.argmax(axis=1) != y))
        # The bound on the training error holds at every round.
        assert errors[-1] <= 5 * state.objective + 1e-12
    assert len(errors) > 100
    assert errors[0] > 0.4
    assert errors[-1] < 0.02


def test_votes_and_bound_by_hand():
    rng = np.random.default_rng(1)
    y = np.array([0, 1, 2, 0, 1, 2])
    rows = Rows(y, 3, np.ones(6), "AdaBoostClassifier")
    first = next(islice(code_rounds(weak_groups(y, rng, 0.9), rows, 1.0, rng), 1, 2))
    answer, side = first.x[0].learner, first.x[0].side
    total = 0.0
    for i in range(6):
        for label in range(3):
            if label != y[i]:
                missed = side[y[i]] != answer[i]
                total += (1 / 12) * (missed + (side[label] == answer[i]))
    error = total / 2
    assert first.x[0].error == pytest.approx(max(error, 1e-10))
    assert first.x[0].vote == pytest.approx(0.5 * log((1 - error) / error))
    assert first.objective == pytest.approx(2 * sqrt(error * (1 - error)))


def test_learners_no_better_than_guessing_are_refused():
    y = np.array([0, 1, 2, 0, 1, 2])
    rng = np.random.default_rng(2)
    rows = Rows(y, 3, np.ones(6), "AdaBoostClassifier")
    with pytest.raises(ValueError, match="better than guessing"):
        list(islice(code_rounds(weak_groups(y, rng, 0.0), rows, 1.0, rng), 2))
