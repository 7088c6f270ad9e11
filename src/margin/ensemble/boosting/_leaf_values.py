"""The constant that lowers a loss most, for every leaf of a tree: the line search of tree.15."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from margin.core.types import Floats, Indices
from margin.losses import Absolute, Loss, Quantile

_HALVINGS = 100


def best_constants(
    loss: Loss, y: Floats, raw: Floats, weight: Floats | None, rows: Any, starts: Indices
) -> Floats:
    r"""For each leaf the :math:`\beta` that minimises :math:`\sum_i w_i \ell(f_i + \beta, y_i)`.

    The rows of leaf ``k`` are ``rows[starts[k]:starts[k + 1]]``. Where the absolute or the
    quantile loss is minimised by an interval, its middle is taken.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 9.0])
    >>> best_constants(Absolute(), y, np.zeros(3), None, np.arange(3), np.array([0, 3]))
    array([2.])
    """
    own_weight = None if weight is None else weight[rows]
    if isinstance(loss, Absolute | Quantile):
        level = 0.5 if isinstance(loss, Absolute) else loss.q
        rest = (y - raw)[rows]
        return np.array(
            [
                weighted_quantile(rest[a:b], None if own_weight is None else own_weight[a:b], level)
                for a, b in pairwise(starts)
            ]
        )
    return _bisected(loss, y[rows], raw[rows], own_weight, starts)


def weighted_quantile(values: Floats, weight: Floats | None, level: float) -> float:
    """Smallest value below which lies the share ``level``, or the middle where the share is met.

    Examples
    --------
    >>> weighted_quantile(np.array([3.0, 1.0, 2.0, 4.0]), None, 0.5)
    2.5
    >>> weighted_quantile(np.array([1.0, 2.0]), np.array([1.0, 3.0]), 0.5)
    2.0
    """
    if weight is None:
        exact = level * len(values)
        upper = min(int(np.floor(exact + 1e-9)), len(values) - 1)
        lower = max(int(np.ceil(exact - 1e-9)) - 1, 0)
        parted = np.partition(values, (lower, upper))
        return float(0.5 * (parted[lower] + parted[upper]))
    order = np.argsort(values, kind="stable")
    kept = order[weight[order] > 0]
    reached = np.cumsum(weight[kept])
    share = level * reached[-1]
    slack = 1e-9 * reached[-1]
    lower = min(int(np.searchsorted(reached, share - slack)), len(kept) - 1)
    upper = min(int(np.searchsorted(reached, share + slack)), len(kept) - 1)
    return float(0.5 * (values[kept[lower]] + values[kept[upper]]))


def _bisected(loss: Loss, y: Floats, raw: Floats, weight: Floats | None, starts: Indices) -> Floats:
    """Zero of the sum of slopes of every leaf, all leaves at once."""
    sizes = np.diff(starts)
    first = starts[:-1]

    def slope(beta: Floats) -> Floats:
        own = loss.slope(raw + np.repeat(beta, sizes), y)
        return np.asarray(np.add.reduceat(own if weight is None else weight * own, first))

    low, high = np.full(len(sizes), -1.0), np.ones(len(sizes))
    for _ in range(64):  # a bracket: slopes of a convex loss rise
        below, above = slope(low) < 0, slope(high) > 0
        if below.all() and above.all():
            break
        low, high = np.where(below, low, 2 * low), np.where(above, high, 2 * high)
        if np.abs(low).max() > 1e15:
            break
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        rising = slope(middle) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
        if (high - low <= 1e-12 * (1 + np.abs(middle))).all():
            break
    return np.asarray(0.5 * (low + high))
