"""From the scores of binary classifiers to classes, by the rows of a coding matrix."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.core.types import Floats

# Losses of a margin; the argument of the exponential is bounded so that sums stay finite.
LOSSES: dict[str, Callable[[Floats], Floats]] = {
    "logistic": lambda margin: np.log1p(np.exp(-np.abs(margin))) - np.minimum(margin, 0.0),
    "hinge": lambda margin: np.maximum(0.0, 1.0 - margin),
    "exponential": lambda margin: np.exp(np.minimum(-margin, 500.0)),
    "squared": lambda margin: (1.0 - margin) ** 2,
    "linear": lambda margin: -margin,
}


def hamming_distances(scores: Any, code: Any) -> Floats:
    r"""Distance of the signs of scores from every row of a code (linear.56).

    :math:`d_k = \sum_l (1 - M_{kl} \operatorname{sign} s_l) / 2`: one for each disagreement and
    one half for each zero of the code.

    Parameters
    ----------
    scores : array-like of shape (n_samples, n_columns)
        Positive where a classifier votes for its positive side; a score of zero votes against.
    code : array-like of shape (n_classes, n_columns)
        Entries -1, 0 and +1.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> hamming_distances([[0.3, -2.0]], [[1, 1], [-1, 1], [0, -1]])
    array([[1. , 2. , 0.5]])
    """
    code = np.asarray(code, dtype=np.float64)
    return np.asarray((code.shape[1] - votes(scores) @ code.T) / 2)


def loss_distances(scores: Any, code: Any, loss: str = "logistic") -> Floats:
    r"""Loss of the scores under every row of a code (linear.56).

    :math:`d_k = \sum_l \varphi(M_{kl} s_l)` with a loss :math:`\varphi` of the margin; a zero of
    the code costs :math:`\varphi(0)` whatever the score.

    Parameters
    ----------
    scores : array-like of shape (n_samples, n_columns)
        Signed confidences of the classifiers.
    code : array-like of shape (n_classes, n_columns)
        Entries -1, 0 and +1.
    loss : {"logistic", "hinge", "exponential", "squared", "linear"}, default="logistic"
        With log-odds as scores the logistic loss makes :math:`-d_k` the log-probability of the row.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)

    Examples
    --------
    >>> loss_distances([[0.5, -2.0]], [[1, 1], [-1, 1], [0, -1]], "hinge")
    array([[3.5, 4.5, 1. ]])
    """
    if loss not in LOSSES:
        names = ", ".join(map(repr, LOSSES))
        raise ValueError(f"loss_distances: loss must be one of {names}, got {loss!r}")
    scores, code = np.asarray(scores, dtype=np.float64), np.asarray(code)
    phi = LOSSES[loss]
    zeros = (code == 0).sum(axis=1) * phi(np.zeros(1))
    positive, negative = (code > 0).astype(np.float64), (code < 0).astype(np.float64)
    right = phi(scores)
    # Both sides of the logistic loss differ by the score: logarithms are dear.
    wrong = right + scores if loss == "logistic" else phi(-scores)
    return np.asarray(right @ positive.T + wrong @ negative.T + zeros)


def disagreements(scores: Any, code: Any) -> Floats:
    """Classifiers that were trained on a class and vote against its row, for every class."""
    code = np.asarray(code, dtype=np.float64)
    return np.asarray((np.abs(code).sum(axis=1) - votes(scores) @ code.T) / 2)


def votes(scores: Any) -> Floats:
    """+1 where a score is above zero, else -1."""
    return np.where(np.asarray(scores) > 0, 1.0, -1.0)


def break_ties(counts: Any, confidence: Any) -> Floats:
    """Counts, at least one half apart unless tied, with ties decided by a confidence.

    Examples
    --------
    >>> break_ties([[2.0, 2.0, 1.5]], [[0.1, 3.0, 99.0]]).argmax(axis=1)
    array([1])
    """
    confidence = np.asarray(confidence, dtype=np.float64)
    return np.asarray(np.asarray(counts) + confidence / (4 * (1 + np.abs(confidence))))
