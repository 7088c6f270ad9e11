"""AdaBoost.R2: learners that answer with numbers."""

from collections.abc import Callable, Iterator
from math import exp, log
from typing import Any, Literal

import numpy as np

from margin.core import Iterate
from margin.core.types import Floats
from margin.ensemble.adaboost._round import EXHAUSTED, PERFECT, Round, normalised

Loss = Literal["linear", "square", "exponential"]
_ROWS = 1024  # whose orders and sums stay in the cache


def relative_loss(residual: Floats, kind: Loss) -> Floats:
    """Losses between 0 and 1: of absolute residuals in units of the largest.

    Examples
    --------
    >>> relative_loss(np.array([0.0, -1.0, 2.0]), "square")
    array([0.  , 0.25, 1.  ])
    """
    size = np.abs(residual)
    largest = size.max(initial=0.0)
    share = size / largest if largest > 0 else size
    if kind == "square":
        return np.asarray(share**2)
    return np.asarray(-np.expm1(-share)) if kind == "exponential" else share


def weighted_median(answers: Floats, votes: Floats) -> Floats:
    """Least answer of every row at which half of the votes are reached.

    The same as the median of :class:`~margin.distributions.Empirical`, without keeping the orders.

    Examples
    --------
    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([1.0, 1.0, 3.0]))
    array([2.])
    """
    medians = np.empty(len(answers))
    for start in range(0, len(answers), _ROWS):
        rows = answers[start : start + _ROWS]
        order = rows.argsort(axis=1)
        reached = votes[order].cumsum(axis=1)
        # Sums of votes carry rounding errors, which must not skip an answer.
        half = reached >= (0.5 - 0.5e-12) * reached[:, -1:]
        first = np.take_along_axis(order, half.argmax(axis=1)[:, None], axis=1)
        medians[start : start + _ROWS] = np.take_along_axis(rows, first, axis=1)[:, 0]
    return medians


def residual_rounds(
    train: Callable[[Floats], Any],
    answer: Callable[[Any], Floats],
    y: Floats,
    weight: Floats,
    learning_rate: float,
    kind: Loss,
) -> Iterator[Iterate]:
    r"""States of AdaBoost.R2.

    The objective is the product of the mean losses' factors, :math:`\prod_t \sum_i w_i
    \beta_t^{1 - l_i}` with :math:`\beta_t = \bar l_t / (1 - \bar l_t)`: what is left of the weight
    of all rows.

    Parameters
    ----------
    train : callable
        A learner fitted to rows of the given weights.
    answer : callable
        Its predictions of the rows.
    y, weight : ndarray
        Targets and weights of the rows.
    learning_rate : float
        Exponent of the factors.
    kind : {"linear", "square", "exponential"}
        Loss of a residual.
    """
    weight, left = normalised(weight), 1.0
    rounds: tuple[Round, ...] = ()
    yield Iterate(rounds, left, trace=(np.nan, np.nan), extras={"weight": weight})
    while True:
        learner = train(weight)
        counts = weight > 0
        loss = np.zeros(len(y))
        loss[counts] = relative_loss((answer(learner) - y)[counts], kind)
        error = float(weight @ loss)
        if error >= 0.5 and rounds:
            extras = {"weight": weight}
            yield Iterate(rounds, left, n_iter=len(rounds), done=EXHAUSTED, extras=extras)
            return
        done = PERFECT if error <= 0.0 else EXHAUSTED if error >= 0.5 else ""
        vote = 1.0
        if error <= 0.0:
            vote, left = 1.0 + sum(r.vote for r in rounds), 0.0
        elif not done:
            factor = learning_rate * log(error / (1.0 - error))
            vote = -factor
            weight = weight * np.exp(factor * (1.0 - loss))
            left *= max(float(weight.sum()), exp(-700.0))
            weight = normalised(weight)
        rounds = (*rounds, Round(learner, vote, error))
        yield Iterate(
            rounds,
            left,
            n_iter=len(rounds),
            trace=(error, vote),
            done=done,
            extras={"weight": weight},
        )
        if done:
            return
