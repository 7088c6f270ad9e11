"""Boosting of many classes by learners for two groups of them."""

from collections.abc import Iterator
from math import log, sqrt

import numpy as np

from margin.core import Iterate
from margin.core.types import Array, Floats
from margin.ensemble.adaboost._round import EXHAUSTED, Round, Rows, Weak, refuse_guessing

_TRIALS = 10


def split_classes(mislabels: Floats, codes: Array, rng: np.random.Generator) -> Array:
    """Two groups of classes that tell as many of the heavy pairs apart as a few draws find.

    Parameters
    ----------
    mislabels : ndarray of shape (n_samples, n_classes)
        Weight of taking a row for a class.
    codes : ndarray of shape (n_samples,)
        The classes of the rows.
    rng : Generator

    Returns
    -------
    ndarray of bool, shape (n_classes,)
        Whether each class is in the second group.
    """
    k = mislabels.shape[1]
    pairs = np.zeros((k, k))
    np.add.at(pairs, codes, mislabels)
    sides = rng.permuted(np.tile(np.arange(k) % 2 == 1, (_TRIALS, 1)), axis=1)
    apart = sides[:, :, None] != sides[:, None, :]
    return np.asarray(sides[(apart * pairs).sum(axis=(1, 2)).argmax()])


def code_rounds(
    weak: Weak, rows: Rows, learning_rate: float, rng: np.random.Generator
) -> Iterator[Iterate]:
    r"""States of AdaBoost through a coding matrix that grows by a column a round (tree.16).

    A learner for two groups of classes need only be better than one half, however many classes
    there are. Weights stand on pairs of a row and a wrong class. The objective, the product of
    :math:`2 \sqrt{\epsilon_t (1 - \epsilon_t)}` over the rounds, times :math:`K - 1` bounds the
    training error.
    """
    n, k = len(rows.codes), rows.n_classes
    at = np.arange(n)
    mislabels = np.repeat((rows.weight / rows.weight.sum())[:, None] / (k - 1), k, axis=1)
    mislabels[at, rows.codes] = 0.0
    rounds: tuple[Round, ...] = ()
    bound = 1.0
    yield Iterate(rounds, bound, trace=(np.nan, np.nan), extras={"weight": mislabels.sum(axis=1)})
    while True:
        side = split_classes(mislabels, rows.codes, rng)
        truth = side[rows.codes]
        weight = (mislabels * (side[None, :] != truth[:, None])).sum(axis=1)
        learner = weak.train(truth, weight / weight.sum())
        answer = weak.codes(learner).astype(bool)
        chosen = side[None, :] == answer[:, None]
        fault = (~chosen[at, rows.codes])[:, None].astype(float) + chosen
        error = 0.5 * float((mislabels * fault).sum())
        if error >= 0.5 - 1e-15:
            if not rounds:
                raise refuse_guessing(rows, error)
            extras = {"weight": mislabels.sum(axis=1)}
            yield Iterate(rounds, bound, n_iter=len(rounds), done=EXHAUSTED, extras=extras)
            return
        error = max(error, 1e-10)
        vote = learning_rate * 0.5 * log((1.0 - error) / error)
        rounds = (*rounds, Round(learner, vote, error, side))
        bound *= 2.0 * sqrt(error * (1.0 - error))
        mislabels = mislabels * np.exp(vote * fault)
        mislabels /= mislabels.sum()
        yield Iterate(
            rounds,
            bound,
            n_iter=len(rounds),
            trace=(error, vote),
            extras={"weight": mislabels.sum(axis=1)},
        )
