"""From what a classifier believes to what it answers, tuned on rows it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Array, Bools, Floats
from margin.evaluation.table._metric import Metric

# Exponents of 1 / prior that are tried for more than two classes: 0 is the plain answer.
_EXPONENTS = np.linspace(0.0, 1.25, 11)
_TINY = 1e-300
# In standard errors of a share of the rarer class, measured by the range of the score.
_SLACK = 0.8


@dataclass(frozen=True)
class Rule:
    """How values of the classes become an answer.

    Parameters
    ----------
    threshold : float or None
        Of two classes: the positive one is answered where its value is at least this.
    positive : int
        Place of the positive class.
    factors : tuple of float
        Of more classes: the answer has the largest product of probability and factor, or with
        ``costs`` the smallest expected cost of these products.
    costs : tuple of tuples, optional
        Cost of each answer (column) when each class (row) is true.
    """

    threshold: float | None = None
    positive: int = 1
    factors: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] | None = None

    def answers(self, values: Floats) -> Any:
        """Places of the answers, from one column of values per class.

        Examples
        --------
        >>> Rule(threshold=0.2).answers(np.array([[0.7, 0.3], [0.9, 0.1]]))
        array([1, 0])
        >>> Rule(factors=(1.0, 1.0, 4.0)).answers(np.array([[0.5, 0.3, 0.2]]))
        array([2])
        """
        if self.threshold is not None:
            yes = values[:, self.positive] >= self.threshold
            return np.where(yes, self.positive, 1 - self.positive)
        weighed = values * np.asarray(self.factors) if self.factors else values
        if self.costs is None:
            return np.argmax(weighed, axis=1)
        return np.argmin(weighed @ np.asarray(self.costs, dtype=float), axis=1)


def tuned_rule(metric: Metric, classes: Array, y: Array, values: Floats) -> Rule:
    """Rule with the best score on rows that the values were not learned from.

    Of two classes every threshold is tried, of more the priors' share in the answer.

    Parameters
    ----------
    metric : Metric
        A score of labels.
    classes : ndarray
        Labels, in the order of the columns of ``values``.
    y : ndarray
        The truth.
    values : ndarray of shape (n_rows, n_classes)
        Probabilities, or of two classes any value that orders the rows.

    Examples
    --------
    >>> value = np.array([0.1, 0.2, 0.3, 0.4])
    >>> values = np.column_stack([1 - value, value])
    >>> rule = tuned_rule(Metric("accuracy"), np.array([0, 1]), np.array([0, 0, 1, 1]), values)
    >>> round(rule.threshold, 2)
    0.25
    """
    labels = classes.tolist()
    if len(labels) == 2:
        positive = labels.index(metric.positive) if metric.positive in labels else 1
        hit = y == classes[positive]
        return Rule(best_threshold(metric, hit, values[:, positive], positive), positive)
    prior = np.array([(y == label).mean() for label in labels])
    rules = [
        Rule(factors=tuple((np.maximum(prior, 1e-6) ** -t).tolist()), costs=metric.costs)
        for t in _EXPONENTS
    ]
    scores = [metric(y, classes[rule.answers(values)]) for rule in rules]
    return rules[_middle_of_best(np.array(scores), 1e-9)]


def best_threshold(metric: Metric, hit: Bools, value: Floats, positive: int = 1) -> float:
    """Threshold of the value of the positive class with the best score, midway between two rows.

    Scores that differ by less than most of a standard error count as equal, and the middle of the
    best stretch is taken: the peak itself is luck.
    """
    order = np.argsort(-value, kind="stable")
    value, hit = value[order], hit[order]
    # cut i: the first i rows are answered "positive"; ties stay together
    ends = np.r_[0, np.flatnonzero(np.diff(value)) + 1, len(value)]
    hits = np.r_[0, np.cumsum(hit)][ends].astype(float)
    alarms = ends - hits
    scores = _of_counts(metric, hits, alarms, float(hit.sum()), float((~hit).sum()), positive)
    few = min(float(hit.sum()), float((~hit).sum()))
    slack = _SLACK * 0.5 / np.sqrt(few) * float(np.ptp(scores)) if few else 0.0
    cut = int(ends[_middle_of_best(scores, slack)])
    if cut == 0:
        return float(np.nextafter(value[0], np.inf))
    if cut == len(value):
        return float(value[-1])
    return float((value[cut - 1] + value[cut]) / 2)


def _middle_of_best(scores: Floats, slack: float) -> int:
    """Middle of the stretch of nearly best scores around the best."""
    good = scores >= scores.max() - slack
    first = last = int(np.argmax(scores))
    while first > 0 and good[first - 1]:
        first -= 1
    while last + 1 < len(good) and good[last + 1]:
        last += 1
    return (first + last) // 2


def _of_counts(
    metric: Metric, tp: Floats, fp: Floats, n_pos: float, n_neg: float, positive: int
) -> Floats:
    fn, tn = n_pos - tp, n_neg - fp
    match metric.name:
        case "accuracy":
            return np.asarray(tp + tn) / (n_pos + n_neg)
        case "F1":
            return np.asarray(2 * tp / np.maximum(2 * tp + fp + fn, _TINY))
        case "Matthews correlation":
            spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
            return np.where(spread > 0, (tp * tn - fp * fn) / np.sqrt(np.maximum(spread, _TINY)), 0)
        case "cost":
            costs = np.asarray(metric.costs, dtype=float)
            p, n = positive, 1 - positive
            paid = tp * costs[p, p] + fn * costs[p, n] + fp * costs[n, p] + tn * costs[n, n]
            return np.asarray(-paid / (n_pos + n_neg))
    # balanced accuracy, and for scores without a threshold the point that balances both classes
    return np.asarray((tp / max(n_pos, 1.0) + tn / max(n_neg, 1.0)) / 2)
