"""What the learners of a boosted ensemble say together."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from margin.core.types import Array, Floats, Matrix, Places
from margin.ensemble.adaboost._real import real_scores
from margin.ensemble.adaboost._round import Round
from margin.ensemble.members._lead import lead


def codes_of(learner: Any, X: Matrix, labels: Array) -> Places:
    """Answers of a learner, as places among the labels that it was trained on."""
    return np.asarray(np.searchsorted(labels, learner.predict(X)))


def log_shares_of(learner: Any, X: Matrix, labels: Array) -> Floats:
    """Logarithms of the probabilities of all labels, of which the learner may know fewer."""
    shares = np.zeros((X.shape[0], len(labels)))
    shares[:, np.searchsorted(labels, learner.classes_)] = learner.predict_proba(X)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(shares))


def staged_scores(
    rounds: Iterable[Round], X: Matrix, labels: Array, real: bool
) -> Iterator[Floats]:
    """Scores of the classes after every round, between -1 and 1 where learners answer by class.

    A class that a learner names gets its vote, and every other loses as much, shared equally.
    """
    n_classes = len(labels)
    total, votes = np.zeros((X.shape[0], n_classes)), 0.0
    for each in rounds:
        if real:
            total += real_scores(log_shares_of(each.learner, X, labels))
        else:
            named = _named(each, X, labels)
            total += each.vote * np.where(named, 1.0, -1.0 / max(n_classes - 1, 1))
        votes += each.vote
        yield total / votes


def _named(each: Round, X: Matrix, labels: Array) -> Array:
    """The classes that a learner's answers stand for."""
    if each.side is not None:
        return np.asarray(each.side[None, :] == np.asarray(each.learner.predict(X))[:, None])
    return np.asarray(np.arange(len(labels)) == codes_of(each.learner, X, labels)[:, None])


def decision(scores: Floats) -> Floats:
    """Scores as scikit-learn shows them: a single column, high for the second, of two classes."""
    if scores.shape[1] == 2:
        return np.asarray(scores[:, 1] - scores[:, 0])
    return scores[:, 0] if scores.shape[1] == 1 else scores


def probabilities(scores: Floats) -> Floats:
    """Probabilities in which the scores are log-odds, up to the number of classes."""
    k = scores.shape[1]
    return np.asarray(softmax(scores / max(k - 1, 1), axis=1))


def class_margins(scores: Floats, codes: ArrayLike) -> Floats:
    r"""Score of the right class minus that of the best wrong one (tree.18).

    Negative where the ensemble errs. Learners that answer by class have votes that sum to one, and
    the margin is the difference of the shares of two classes.
    """
    k = scores.shape[1]
    # The score of a class with share v of the votes is v - (1 - v) / (k - 1).
    return lead(scores * ((k - 1) / k), codes)
