"""Intervals: of a test score, and of predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from margin.core.types import Floats
from margin.evaluation.resamples._draws import MOST, resampled
from margin.evaluation.resamples._weighted import weighted_score
from margin.evaluation.table._metric import Metric

LEVEL = 0.9
_QUANTILES = np.linspace(0.0, 1.0, 201)
# Levels beyond this have no finite quantile in most laws.
_EXTREME = 1e-6


def wilson_interval(hits: float, n: int, *, level: float = 0.95) -> tuple[float, float]:
    r"""Wilson score interval of a proportion.

    The values :math:`p` with :math:`|\hat p - p| \le z \sqrt{p (1 - p) / n}`; never leaves
    :math:`[0, 1]` and has a width at :math:`\hat p = 0` or 1 too.

    Parameters
    ----------
    hits : float
        Successes.
    n : int
        Trials.
    level : float
        Coverage.

    Examples
    --------
    >>> [round(v, 4) for v in wilson_interval(8, 10)]
    [0.4902, 0.9433]
    """
    if n < 1 or not 0 <= hits <= n:
        raise ValueError(f"wilson_interval: hits must be between 0 and n, got {hits} of {n}")
    z = float(stats.norm.ppf(0.5 + level / 2))
    p = hits / n
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))


def score_interval(
    metric: Metric,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = MOST,
) -> tuple[float, float]:
    """Confidence interval of a test score (evaluation.06).

    Wilson's for accuracy, those of the classes combined for balanced accuracy; the percentile
    bootstrap over rows for R² and other scores.

    Parameters
    ----------
    metric : Metric
        The score.
    y_true, y_pred : array-like
        The truth, and answers as the score takes them.
    seed : int
        Seed of the resamples.
    level : float
        Coverage.
    resamples : int
        How many; fewer where time is short.

    Examples
    --------
    >>> low, high = score_interval(Metric("accuracy"), [1] * 10, [1] * 8 + [0] * 2, seed=0)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    if metric.name == "accuracy":
        return wilson_interval(int((y_true == y_pred).sum()), len(y_true), level=level)
    if metric.name == "balanced accuracy":
        return _mean_recall_interval(y_true, y_pred, level)
    rng = np.random.default_rng(seed)
    score = weighted_score(metric, y_true, y_pred)
    scores = resampled([score], len(y_true), rng, resamples)[:, 0]
    scores = scores[np.isfinite(scores)]
    if not len(scores):
        return float("nan"), float("nan")
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _mean_recall_interval(y_true: Any, y_pred: Any, level: float) -> tuple[float, float]:
    r"""Interval of the mean of the recalls :math:`r_k` from their own Wilson intervals.

    The lower end is :math:`\bar r - \tfrac1K \sqrt{\sum_k (r_k - l_k)^2}`, the upper end its mirror
    image (Zou and Donner, 2008). A few rows of a class that are all right leave it wide, where
    resampling them would not.
    """
    labels, codes, counts = np.unique(y_true, return_inverse=True, return_counts=True)
    hits = np.bincount(codes, weights=y_true == y_pred, minlength=len(labels))
    recall = hits / counts
    ends = [wilson_interval(h, int(n), level=level) for h, n in zip(hits, counts, strict=True)]
    below, above = np.abs(np.array(ends) - recall[:, None]).T
    mean, n_classes = float(recall.mean()), len(labels)
    low, high = mean - np.linalg.norm(below) / n_classes, mean + np.linalg.norm(above) / n_classes
    return max(0.0, float(low)), min(1.0, float(high))


def residual_quantiles(residuals: ArrayLike) -> Floats:
    """Quantiles of held-out residuals on a fixed grid, for :func:`prediction_interval`.

    They are those of split-conformal prediction: of ``n`` residuals the upper quantile of level
    ``q`` is the one of rank ``ceil((n + 1) q)``, and the lower ones mirror them, so that an
    interval between two of them holds a new residual at least as often as it promises.

    Examples
    --------
    >>> residual_quantiles([-1.0, 0.0, 2.0])[[0, 100, 200]]
    array([-1.,  0.,  2.])
    """
    ordered = np.sort(np.asarray(residuals, dtype=float))
    n = len(ordered)
    rank = (n + 1) * _QUANTILES
    rank = np.where(_QUANTILES >= 0.5, np.ceil(rank - 1e-9), np.floor(rank + 1e-9))
    kept = ordered[np.clip(rank, 1, n).astype(int) - 1]
    kept[_QUANTILES == 0.5] = np.median(ordered)
    return np.asarray(kept)


def on_scale(model: Any, y: Any) -> Floats:
    """Targets or predictions on the scale on which residuals of the model are alike."""
    values = np.asarray(y, dtype=float)
    return np.asarray(model.to_scale(values)) if hasattr(model, "to_scale") else values


def prediction_interval(model: Any, X: Any, *, level: float = LEVEL) -> Floats | None:
    """Interval that holds the target of each row with probability ``level``.

    The quantiles of ``predict_dist`` where the fitted pipeline ends in a model that has it, else
    the prediction plus the quantiles of the residuals on held-out rows. What
    :func:`~margin.evaluation.compare` keeps of held-out rows, as ``level_quantiles_`` and
    ``residual_quantiles_``, makes both conformal.

    Parameters
    ----------
    model : Pipeline
        A fitted regression pipeline.
    X : DataFrame
        Rows to predict.
    level : float
        Coverage.

    Returns
    -------
    ndarray of shape (n_rows, 2) or None
        Lower and upper end; ``None`` when the model can give neither.
    """
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    last = model[-1]
    if hasattr(last, "predict_dist"):
        kept = getattr(model, "level_quantiles_", None)
        if kept is not None:
            tails = np.clip(np.interp(tails, _QUANTILES, kept), _EXTREME, 1.0 - _EXTREME)
        law = last.predict_dist(model[:-1].transform(X))
        return np.column_stack([np.asarray(law.quantile(q), dtype=float) for q in tails])
    kept = getattr(model, "residual_quantiles_", None)
    if kept is None:
        return None
    middle = on_scale(last, model.predict(X))[:, None]
    ends = np.asarray(middle + np.interp(tails, _QUANTILES, kept))
    return np.asarray(last.from_scale(ends)) if hasattr(last, "from_scale") else ends
