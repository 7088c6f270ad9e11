"""A score as a function of how often each row counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import xlogy

from margin.core.types import Array, Bools, Floats
from margin.evaluation.resamples._ranked import area_under_roc, average_precision
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._scores import Stakes, codes_of, labels_of, positive_rates

Score = Callable[[Floats], float]


def weighted_score(metric: Metric, y: Array, answers: Array) -> Score:
    """The score of rows that are there several times, or not at all.

    Whatever does not depend on the counts (orders, confusions, losses) is worked out once; a call
    takes time in proportion to the rows. It returns what ``metric`` makes of the repeated rows,
    NaN where these tell nothing.

    Parameters
    ----------
    metric : Metric
        The score.
    y : ndarray
        The truth.
    answers : ndarray
        As :meth:`Metric.answers` returns them.

    Examples
    --------
    >>> y, guess = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> weighted_score(Metric("accuracy"), y, guess)(np.array([3.0, 1.0, 0.0]))
    0.75
    """
    y, answers = np.asarray(y), np.asarray(answers)
    match metric.name:
        case "ROC AUC":
            return _one_against_rest(metric, y, answers, area_under_roc)
        case "average precision":
            return _one_against_rest(metric, y, answers, average_precision)
        case "F1" | "Matthews correlation" | "accuracy" | "balanced accuracy":
            return _of_confusions(metric, y, answers)
        case "R²":
            return _explained_share(y, answers)
        case "RMSE":
            squares = _mean((y - answers) ** 2)
            return lambda weight: -float(np.sqrt(squares(weight)))
        case "MAE":
            return _mean(-np.abs(y - answers))
        case "D² absolute":
            return _absolute_share(y, answers)
        case "D² Poisson":
            return _deviance_share(y, answers)
        case "log loss":
            own = answers[np.arange(len(y)), codes_of(Stakes(metric.classes), y)]
            return _mean(np.log(np.clip(own, 1e-15, 1.0)))
        case "cost":
            stakes = Stakes(metric.classes, metric.positive, metric.costs)
            costs = np.asarray(metric.costs, dtype=np.float64)
            return _mean(-costs[codes_of(stakes, y), codes_of(stakes, answers)])


def _mean(values: Floats) -> Score:
    return lambda weight: float(weight @ values / weight.sum())


def _one_against_rest(
    metric: Metric, y: Array, value: Floats, area: Callable[[Bools, Floats], Score]
) -> Score:
    """Of two classes the area of the positive one, of more the mean over those present."""
    labels = labels_of(Stakes(metric.classes), y)
    chosen = labels
    if len(labels) == 2:
        chosen = [labels[-1] if metric.positive is None else metric.positive]
    parts = [area(y == label, value[:, labels.index(label)]) for label in chosen]

    def mean(weight: Floats) -> float:
        areas = np.array([part(weight) for part in parts])
        known = areas[np.isfinite(areas)]
        return float(known.mean()) if len(known) else float("nan")

    return mean


def _of_confusions(metric: Metric, y: Array, guess: Array) -> Score:
    """A score of the table that counts truth (rows) and answers (columns)."""
    # text and number types apart: both arrays hold labels of one target
    labels, codes = np.unique(np.concatenate([y, guess]), return_inverse=True)
    k = len(labels)
    cells = codes[: len(y)] * k + codes[len(y) :]
    classes = labels_of(Stakes(metric.classes), y)
    positive = classes[-1] if metric.positive is None else metric.positive
    place = int(np.flatnonzero(labels == positive)[0]) if (labels == positive).any() else -1
    binary = len(classes) <= 2

    def score(weight: Floats) -> float:
        table = np.bincount(cells, weights=weight, minlength=k * k).reshape(k, k)
        hits, true, told = np.diag(table), table.sum(axis=1), table.sum(axis=0)
        total = float(true.sum())
        match metric.name:
            case "accuracy":
                return float(hits.sum() / total)
            case "balanced accuracy":
                return float((hits[true > 0] / true[true > 0]).mean())
            case "F1":
                if binary:
                    return _f1(hits[place], true[place], told[place]) if place >= 0 else 0.0
                present = true + told > 0
                return float((2 * hits[present] / (true + told)[present]).mean())
        spread = (total**2 - true @ true) * (total**2 - told @ told)
        return float((hits.sum() * total - true @ told) / np.sqrt(spread)) if spread > 0 else 0.0

    return score


def _f1(hits: float, true: float, told: float) -> float:
    return float(2 * hits / (true + told)) if true + told else 0.0


def _explained_share(y: Array, guess: Array) -> Score:
    # around the middle, where sums of squares keep their digits
    centred = y - y.mean()
    columns = np.column_stack([(y - guess) ** 2, centred**2, centred, np.ones(len(y))])

    def score(weight: Floats) -> float:
        residual, squares, total, n = weight @ columns
        spread = squares - total**2 / n
        return float(1 - residual / spread) if spread > 1e-12 * squares else float("nan")

    return score


def _absolute_share(y: Array, guess: Array) -> Score:
    order = np.argsort(y, kind="stable")
    y, miss = y[order], np.abs(y - guess)[order]

    def score(weight: Floats) -> float:
        weight = weight[order]
        up_to = np.cumsum(weight)
        middle = (up_to[-1] - 1) // 2, up_to[-1] // 2
        low, high = y[np.searchsorted(up_to, middle, side="right")]
        spread = float(weight @ np.abs(y - (low + high) / 2))
        return 1 - float(weight @ miss) / spread if spread > 0 else float("nan")

    return score


def _deviance_share(y: Array, guess: Array) -> Score:
    def score(weight: Floats) -> float:
        mean = float(weight @ y / weight.sum())
        if mean <= 0:
            return float("nan")
        rate = positive_rates(np.array([mean]), guess)
        whole = float(weight @ _deviance(y, mean))
        return 1 - float(weight @ _deviance(y, rate)) / whole if whole > 0 else float("nan")

    return score


def _deviance(y: Array, rate: Any) -> Floats:
    return np.asarray(xlogy(y, y / rate) - y + rate)
