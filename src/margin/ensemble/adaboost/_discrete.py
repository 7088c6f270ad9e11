"""Discrete AdaBoost: learners that answer with a class."""

from collections.abc import Iterator
from math import exp, log
from typing import Literal

import numpy as np

from margin.core import Iterate
from margin.ensemble.adaboost._round import (
    EXHAUSTED,
    PERFECT,
    Round,
    Rows,
    Weak,
    normalised,
    refuse_guessing,
)

Votes = Literal["log", "odds"]
# Beyond this factor the other rows count nothing anyway; sums of its exponential stay finite.
_MOST = 600.0
_LARGEST = 1e300
_INFINITE = "Sample weights have reached infinite values: learning_rate is too large"


def coefficient(error: float, n_classes: int) -> float:
    r"""Logarithm of the odds against an error, above those of guessing.

    .. math:: \alpha = \log \frac{1 - \epsilon}{\epsilon} + \log (K - 1)

    Examples
    --------
    >>> round(coefficient(0.1, 2), 7)
    2.1972246
    """
    return log((1.0 - error) / error) + log(n_classes - 1.0)


def discrete_rounds(
    weak: Weak, rows: Rows, learning_rate: float, votes: Votes
) -> Iterator[Iterate]:
    r"""States of SAMME, which is AdaBoost for two classes (tree.12).

    The objective is the exponential loss, of which each round is the best step in one direction:
    a right answer lowers the loss of a row by :math:`e^{-\alpha (K - 1) / K}`, a wrong one raises
    it by :math:`e^{\alpha / K}`.

    Parameters
    ----------
    weak : Weak
    rows : Rows
    learning_rate : float
        Factor of the coefficients.
    votes : {"log", "odds"}
        Coefficients of the answers: as above, or its exponential.
    """
    k, weight, loss = rows.n_classes, normalised(rows.weight), 1.0
    rounds: tuple[Round, ...] = ()
    yield Iterate(rounds, loss, trace=(np.nan, np.nan), extras={"weight": weight})
    while True:
        learner = weak.train(rows.codes, weight)
        wrong = weak.codes(learner) != rows.codes
        error = float(weight[wrong].sum())
        guessing = 1.0 - 1.0 / max(k, 2)
        if error >= guessing - 1e-12:
            if not rounds:
                if error > guessing + 1e-12:
                    raise refuse_guessing(rows, error)
                # A table that tells nothing: one guess is as good as any.
                rounds = (Round(learner, 1.0, error),)
            yield Iterate(
                rounds,
                loss,
                n_iter=len(rounds),
                trace=(rounds[-1].error, rounds[-1].vote),
                done=EXHAUSTED,
                extras={"weight": weight},
            )
            return
        if error <= 0.0:
            # Its odds are without bound: it decides alone.
            vote = 1.0 + sum(r.vote for r in rounds)
            rounds, loss = (*rounds, Round(learner, vote, 0.0)), 0.0
        else:
            alpha = learning_rate * coefficient(error, k)
            factor = (1.0 - error) * exp(-alpha * (k - 1) / k) + error * exp(min(alpha / k, _MOST))
            if rounds and loss * factor > _LARGEST:
                extras = {"weight": weight}
                yield Iterate(rounds, loss, n_iter=len(rounds), stuck=_INFINITE, extras=extras)
                return
            vote = alpha if votes == "log" else exp(min(alpha, _MOST))
            rounds, loss = (*rounds, Round(learner, vote, error)), min(loss * factor, _LARGEST)
            weight = normalised(np.where(wrong, weight * exp(min(alpha, _MOST)), weight))
        yield Iterate(
            rounds,
            loss,
            n_iter=len(rounds),
            trace=(error, vote),
            done="" if error > 0.0 else PERFECT,
            extras={"weight": weight},
        )
        if error <= 0.0:
            return
