"""How far one model is behind another, and how sure that is, after few folds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from margin.core.types import Array, Floats
from margin.evaluation.table._metric import Metric

BLOCKS = 10
_FEWEST_ROWS = 4
# Standard errors that a model must be behind to leave, with many folds; more with few.
_CERTAIN = 3.0


class Gap(NamedTuple):
    """Mean advantage of one model over another, and its standard error."""

    difference: float
    se: float


def block_scores(metric: Metric, y_true: Array, y_pred: Any) -> tuple[float, ...]:
    r"""Pseudo-values of a score, one per block of rows, whose mean is about the score.

    With :math:`s` the score of all rows and :math:`s_{-b}` that without block :math:`b` of
    :math:`B`, they are :math:`B s - (B - 1) s_{-b}`, the values of the jackknife: for a mean over
    rows the means of the blocks, for other scores an approximation of the same kind. Blocks are
    interleaved, so that they hold about the same rows of a sorted table.

    Examples
    --------
    >>> hits = block_scores(Metric("accuracy"), np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0]))
    >>> [round(h, 6) for h in hits]
    [1.0, 0.0, 1.0, 1.0]
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    blocks = min(BLOCKS, len(y_true))
    if blocks < _FEWEST_ROWS:
        return ()
    number = np.arange(len(y_true)) % blocks
    if metric.name == "accuracy":
        # The same in one pass: scores of whole tables are checked at length at every call.
        hits = np.bincount(number, y_true == y_pred, blocks)
        kept = len(y_true) - np.bincount(number, minlength=blocks)
        whole, without = hits.sum() / len(y_true), (hits.sum() - hits) / kept
    else:
        whole = metric(y_true, y_pred)
        parts = [number != b for b in range(blocks)]
        without = np.array([metric(y_true[part], y_pred[part]) for part in parts])
    return tuple((blocks * whole - (blocks - 1) * without).tolist())


def gap(
    ahead: Mapping[int, Sequence[float]],
    behind: Mapping[int, Sequence[float]],
    *,
    test_share: float,
) -> Gap:
    r"""Advantage of one model over another on the folds that both finished.

    The standard error is that of the paired differences of all blocks, enlarged as by the
    corrected resampled test for the training rows that folds share: with :math:`F` folds and
    :math:`n_2 / n_1` held-out rows per training row the variance grows by
    :math:`1 + F n_2 / n_1`.

    Parameters
    ----------
    ahead, behind : mapping of int to sequence of float
        Block scores by fold.
    test_share : float
        Held-out rows per training row.

    Examples
    --------
    >>> first, second = {0: [0.9, 0.8, 0.9]}, {0: [0.7, 0.7, 0.7]}
    >>> round(gap(first, second, test_share=0.25).difference, 3)
    0.167
    """
    common = sorted(set(ahead) & set(behind))
    pairs = [np.subtract(ahead[f], behind[f]) for f in common if len(ahead[f]) == len(behind[f])]
    values: Floats = np.concatenate(pairs) if pairs else np.zeros(0)
    if len(values) < 2 or not np.isfinite(values).all():
        return Gap(0.0, math.inf)
    variance = float(np.var(values, ddof=1)) / len(values) * (1.0 + len(pairs) * test_share)
    return Gap(float(values.mean()), math.sqrt(variance))


def hopeless(advantage: Gap, n_folds: int, *, credit: float = 0.0) -> bool:
    """Whether a model that far behind can be sent home.

    It must be behind by about four standard errors after one fold, by three after many, and by
    more than ``credit``, what it may still gain.

    Examples
    --------
    >>> hopeless(Gap(0.2, 0.04), 1), hopeless(Gap(0.2, 0.06), 1), hopeless(Gap(0.2, 0.06), 9)
    (True, False, True)
    """
    needed = _CERTAIN * math.sqrt(1.0 + 1.0 / max(n_folds, 1)) * advantage.se
    return advantage.difference - max(credit, 0.0) > needed
