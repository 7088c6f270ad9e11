"""The numbers behind the diagnostic pictures, computed from predictions on the test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from margin.core.types import Array, Bools, Floats, Places
from margin.evaluation import wilson_interval


@dataclass(frozen=True)
class Reliability:
    """Predicted probability against observed frequency, per bin; ``error`` is their mean gap."""

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: Places
    error: float


def reliability(probability: Floats, happened: Bools, bins: int = 10) -> Reliability:
    r"""Reliability diagram with 90 % Wilson intervals, over bins of about equal count.

    The expected calibration error is :math:`\sum_b \frac{n_b}{n} |\bar p_b - \bar y_b|`.

    Examples
    --------
    >>> p = np.repeat([0.1, 0.9], 20)
    >>> result = reliability(p, p > 0.5, bins=2)
    >>> [round(float(v), 2) for v in result.predicted], round(result.error, 2)
    ([0.1, 0.9], 0.1)
    """
    probability = np.asarray(probability, dtype=np.float64)
    bins = max(1, min(bins, len(probability) // 20 or 1, len(np.unique(probability))))
    edges = np.quantile(probability, np.linspace(0, 1, bins + 1)[1:-1])
    which = np.searchsorted(np.unique(edges), probability, side="right")
    rows = []
    for b in np.unique(which):
        inside = which == b
        count, hits = int(inside.sum()), int(np.sum(happened[inside]))
        rows.append(
            (
                probability[inside].mean(),
                hits / count,
                *wilson_interval(hits, count, level=0.9),
                count,
            )
        )
    predicted, observed, low, high, counts = (
        np.asarray(column) for column in zip(*rows, strict=True)
    )
    error = float(np.sum(counts * np.abs(predicted - observed)) / counts.sum())
    return Reliability(predicted, observed, low, high, counts, error)


def confusion(truth: Array, guess: Array, classes: Sequence[Any]) -> Places:
    """Counts of true class (row) against predicted class (column), in the order of ``classes``.

    Examples
    --------
    >>> confusion(np.array(["a", "b", "b"]), np.array(["a", "a", "b"]), ["a", "b"])
    array([[1, 0],
           [1, 1]])
    """
    place = {value: i for i, value in enumerate(classes)}
    counts = np.zeros((len(place), len(place)), dtype=np.intp)
    for true, predicted in zip(truth.tolist(), guess.tolist(), strict=True):
        counts[place[true], place[predicted]] += 1
    return counts


def trend(x: Floats, y: Floats, bins: int = 12) -> tuple[Floats, Floats]:
    """Mean of ``y`` in bins of equal count along ``x``: structure that residuals should not have.

    Examples
    --------
    >>> trend(np.arange(4.0), np.array([1.0, 3.0, 5.0, 7.0]), bins=2)
    (array([0.5, 2.5]), array([2., 6.]))
    """
    bins = max(1, min(bins, len(x) // 8 or 2, len(x)))
    parts = np.array_split(np.argsort(x, kind="stable"), bins)
    return np.array([x[p].mean() for p in parts]), np.array([y[p].mean() for p in parts])


def normal_quantiles(values: Floats) -> tuple[Floats, Floats]:
    """Standard normal quantiles and the standardised, sorted values that belong to them.

    Examples
    --------
    >>> expected, observed = normal_quantiles(np.array([1.0, 2.0, 3.0]))
    >>> [round(float(v), 3) for v in expected]
    [-0.869, 0.0, 0.869]
    """
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    observed = np.sort((values - values.mean()) / (spread or 1.0))
    n = len(values)
    # Blom's plotting positions: nearly unbiased for the order statistics of a normal sample
    inverse = NormalDist().inv_cdf
    return np.array([inverse((i - 0.375) / (n + 0.25)) for i in range(1, n + 1)]), observed


def coverage(truth: Floats, interval: Floats) -> tuple[int, Bools]:
    """How many true values lie inside their interval, and which.

    Examples
    --------
    >>> coverage(np.array([1.0, 5.0]), np.array([[0.0, 2.0], [0.0, 2.0]]))[0]
    1
    """
    inside = (interval[:, 0] <= truth) & (truth <= interval[:, 1])
    return int(inside.sum()), inside


def thinned(n: int, most: int, seed: int = 0) -> Places:
    """Positions of at most ``most`` of ``n`` rows, drawn without replacement, in order.

    Examples
    --------
    >>> len(thinned(1000, 10)), thinned(3, 10).tolist()
    (10, [0, 1, 2])
    """
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))
