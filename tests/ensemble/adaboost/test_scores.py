"""What the learners of a boosted ensemble say together."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin.ensemble.adaboost._round import Round
from margin.ensemble.adaboost._scores import (
    class_margins,
    codes_of,
    decision,
    log_shares_of,
    probabilities,
    staged_scores,
)


class Saying:
    """Answers what it was told to."""

    def __init__(self, answer, classes=None, shares=None):
        self.answer, self.classes_, self.shares = np.asarray(answer), classes, shares

    def predict(self, X):
        return self.answer

    def predict_proba(self, X):
        return self.shares


X, LABELS = np.zeros((2, 1)), np.array(["a", "b", "c"])


def test_votes_add_up_to_shares():
    rounds = [Round(Saying(["a", "b"]), 3.0, 0.1), Round(Saying(["a", "c"]), 1.0, 0.3)]
    *_, scores = staged_scores(rounds, X, LABELS, real=False)
    # A share v of the votes is the score v - (1 - v) / 2.
    assert_allclose(scores, [[1.0, -0.5, -0.5], [-0.5, 0.625, -0.125]])
    assert_allclose(class_margins(scores, [0, 2]), [1.0, 0.25 - 0.75])


def test_groups_vote_for_their_members():
    side = np.array([True, False, True])
    (scores,) = staged_scores([Round(Saying([True, False]), 2.0, 0.2, side)], X, LABELS, False)
    assert_allclose(scores, [[1.0, -0.5, 1.0], [-0.5, 1.0, -0.5]])


def test_learners_may_know_fewer_classes():
    shares = np.array([[0.25, 0.75], [0.5, 0.5]])
    learner = Saying(["a", "c"], np.array(["a", "c"]), shares)
    with np.errstate(divide="ignore"):
        logs = log_shares_of(learner, X, LABELS)
    assert_allclose(np.exp(logs), [[0.25, 0.0, 0.75], [0.5, 0.0, 0.5]])
    assert_array_equal(codes_of(learner, X, LABELS), [0, 2])
    (scores,) = staged_scores([Round(learner, 1.0, 0.1)], X, LABELS, real=True)
    assert_array_equal(scores.argmax(axis=1), [2, 0])


def test_two_classes_are_one_column():
    scores = np.array([[0.4, -0.4], [-1.0, 1.0]])
    assert_allclose(decision(scores), [-0.8, 2.0])
    assert_allclose(probabilities(scores)[:, 1], 1 / (1 + np.exp([0.8, -2.0])))
    assert_allclose(decision(np.zeros((2, 1))), 0.0)
    assert_allclose(probabilities(np.zeros((2, 1))), 1.0)
