"""Is one model better than another, judged on the same rows?"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import stats

from margin.core.types import Array, Floats
from margin.evaluation.resamples._draws import MOST, resampled
from margin.evaluation.resamples._weighted import weighted_score
from margin.evaluation.table._metric import Metric
from margin.evaluation.table._scores import Stakes, codes_of, positive_rates
from margin.evaluation.verdict._paired import PairedTest

_FLIPS_PER_RESAMPLE = 10
_CELLS = 2_000_000
# More rows than this are as good as normal; fewer than that are tried in every way.
_MANY, _FEW = 2_000, 12


def row_test(
    metric: Metric, y: Array, a: Array, b: Array, *, seed: int = 0, resamples: int = MOST
) -> PairedTest:
    r"""Paired test of two models on the same held-out rows.

    With :math:`g_i` what row ``i`` adds to the difference of the scores, the answers of the two
    models could be exchanged row by row if neither were better: :math:`\sum_i g_i` is held against
    the sums with random signs. For accuracy this is McNemar's exact test. A score that is no sum
    over rows (F1, ROC AUC, …) is resampled instead; of fewer resamples than usual only the spread
    is used, with the normal law.

    Parameters
    ----------
    metric : Metric
        The score.
    y : ndarray
        The truth.
    a, b : ndarray
        Answers of the two models, as :meth:`Metric.answers` returns them.
    seed : int
        Seed of the signs or resamples.
    resamples : int
        How many; fewer where time is short. Signs are drawn ten times as often.

    Returns
    -------
    PairedTest
        ``difference`` is the score of ``a`` minus that of ``b``.

    Examples
    --------
    >>> y = np.zeros(10)
    >>> test = row_test(Metric("accuracy"), y, y, np.repeat([0.0, 1.0], [4, 6]))
    >>> test.difference, round(test.p_value, 4)
    (0.6, 0.0312)
    """
    y, a, b = np.asarray(y), np.asarray(a), np.asarray(b)
    difference = metric(y, a) - metric(y, b)
    rng = np.random.default_rng(seed)
    gains = row_gains(metric, y, a, b)
    if gains is None:
        return _resampled(metric, y, a, b, difference, rng, resamples)
    se = float(np.sqrt(len(gains) * gains.var(ddof=1))) if len(gains) > 1 else float("nan")
    return _outcome(difference, se, _sign_flips(gains[gains != 0], rng, resamples))


def row_gains(metric: Metric, y: Array, a: Array, b: Array) -> Floats | None:
    """What each row adds to ``metric(y, a) - metric(y, b)``; ``None`` if the score is no sum."""
    n = len(y)
    match metric.name:
        case "accuracy":
            return np.asarray(_hits(y, a, b) / n)
        case "balanced accuracy":
            labels, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
            return np.asarray(_hits(y, a, b) / (len(labels) * counts[codes]))
        case "cost":
            stakes = Stakes(metric.classes, metric.positive, metric.costs)
            costs, true = np.asarray(metric.costs, dtype=float), codes_of(stakes, y)
            return (
                np.asarray(costs[true, codes_of(stakes, b)] - costs[true, codes_of(stakes, a)]) / n
            )
        case "log loss":
            rows, true = np.arange(n), codes_of(Stakes(metric.classes), y)
            own = [np.log(np.clip(p[rows, true], 1e-15, 1.0)) for p in (a, b)]
            return np.asarray(own[0] - own[1]) / n
        case "R²":
            spread = float(((y - y.mean()) ** 2).sum())
            return None if spread == 0 else np.asarray(((y - b) ** 2 - (y - a) ** 2) / spread)
        case "RMSE":
            squares = (y - a) ** 2, (y - b) ** 2
            total = sum(float(np.sqrt(s.mean())) for s in squares)
            return np.asarray((squares[1] - squares[0]) / (n * max(total, 1e-300)))
        case "MAE":
            return np.asarray((np.abs(y - b) - np.abs(y - a)) / n)
        case "D² absolute":
            spread = float(np.abs(y - np.median(y)).sum())
            return None if spread == 0 else np.asarray((np.abs(y - b) - np.abs(y - a)) / spread)
        case "D² Poisson":
            whole = float(_deviance(y, np.full(n, y.mean())).sum())
            gained = _deviance(y, positive_rates(y, b)) - _deviance(y, positive_rates(y, a))
            return None if whole == 0 else gained / whole
    return None


def _hits(y: Array, a: Array, b: Array) -> Floats:
    return np.asarray((y == a).astype(np.float64) - (y == b))


def _deviance(y: Array, rate: Floats) -> Floats:
    logs = np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0) / rate), 0.0)
    return np.asarray(2 * (logs - y + rate))


def _sign_flips(gains: Floats, rng: np.random.Generator, resamples: int) -> float:
    """Two-sided p-value of a sum under random signs; ``gains`` has no zeros."""
    m = len(gains)
    if not m:
        return 1.0
    total, size = abs(float(gains.sum())), np.abs(gains)
    if np.ptp(size) <= 1e-12 * size.max():
        ahead = round((total / float(size.max()) + m) / 2)
        return min(1.0, 2 * float(stats.binom.sf(ahead - 1, m, 0.5)))
    if m > _MANY:
        return float(2 * stats.norm.sf(total / np.sqrt((size**2).sum())))
    slack = total - 1e-9 * float(size.sum())
    if m <= _FEW:
        sums = np.array(list(product((-1.0, 1.0), repeat=m))) @ size
        return float((np.abs(sums) >= slack).mean())
    flips = _FLIPS_PER_RESAMPLE * resamples
    batch, beyond, left = max(1, _CELLS // m), 0, flips
    while left:
        signs = rng.integers(0, 2, size=(min(batch, left), m)) * 2.0 - 1.0
        beyond += int((np.abs(signs @ size) >= slack).sum())
        left -= len(signs)
    return (1 + beyond) / (1 + flips)


def _resampled(
    metric: Metric,
    y: Array,
    a: Array,
    b: Array,
    difference: float,
    rng: np.random.Generator,
    resamples: int,
) -> PairedTest:
    both = [weighted_score(metric, y, answers) for answers in (a, b)]
    drawn = resampled(both, len(y), rng, resamples) @ np.array([1.0, -1.0])
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < resamples // 2:
        nan = float("nan")
        return PairedTest(difference, nan, nan, nan, (-np.inf, np.inf))
    se = float(drawn.std())
    if resamples < MOST:
        far = abs(difference) / se if se > 0 else np.inf
        return _outcome(difference, se, float(2 * stats.norm.sf(far)) if difference else 1.0)
    tail = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return _outcome(difference, se, min(1.0, 2 * (1 + tail) / (1 + len(drawn))))


def _outcome(difference: float, se: float, p_value: float) -> PairedTest:
    half = 1.959964 * se
    statistic = difference / se if se > 0 else float("nan")
    return PairedTest(difference, se, statistic, p_value, (difference - half, difference + half))
