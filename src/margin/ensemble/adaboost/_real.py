"""Real AdaBoost: learners that answer with probabilities."""

from collections.abc import Iterator

import numpy as np

from margin.core import Iterate
from margin.core.types import Floats
from margin.ensemble.adaboost._round import PERFECT, Round, Rows, Weak, normalised

_FLOOR = float(np.log(np.finfo(np.float64).eps))


def real_scores(log_shares: Floats) -> Floats:
    r"""Scores of the classes, :math:`(K - 1) (\log p_k - \tfrac1K \sum_l \log p_l)`."""
    shares = np.maximum(log_shares, _FLOOR)
    k = shares.shape[1]
    return np.asarray((k - 1) * (shares - shares.mean(axis=1, keepdims=True)))


def real_rounds(weak: Weak, rows: Rows, learning_rate: float) -> Iterator[Iterate]:
    r"""States of SAMME.R, which is real AdaBoost for two classes (tree.12).

    With the code of a class, 1 at its place and :math:`-1/(K-1)` elsewhere, the objective is
    :math:`\sum_i w_i e^{-y_i^\top f(x_i) / K}`; the weights of a round are its terms.
    """
    k, n = rows.n_classes, len(rows.codes)
    terms = normalised(rows.weight)
    coded = np.full((n, k), -1.0 / max(k - 1, 1))
    coded[np.arange(n), rows.codes] = 1.0
    rounds: tuple[Round, ...] = ()
    yield Iterate(rounds, 1.0, trace=(np.nan, np.nan), extras={"weight": terms})
    while True:
        weight = normalised(terms)
        learner = weak.train(rows.codes, weight)
        log_shares = weak.log_shares(learner)
        error = float(weight[log_shares.argmax(axis=1) != rows.codes].sum())
        score = (coded * real_scores(log_shares)).sum(axis=1) / k
        terms = terms * np.exp(-learning_rate * score)
        rounds = (*rounds, Round(learner, 1.0, error))
        loss = float(terms.sum())
        # Below this nothing is left to weigh.
        done = PERFECT if loss < 1e-280 else ""
        yield Iterate(
            rounds,
            loss,
            n_iter=len(rounds),
            trace=(error, 1.0),
            done=done,
            extras={"weight": normalised(np.maximum(terms, 1e-300))},
        )
        if done:
            return
