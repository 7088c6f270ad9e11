"""The constant that lowers a loss most, for every leaf of a tree: the line search of tree.15."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from margin.core import FitError
from margin.core.types import Floats, Indices
from margin.losses import Absolute, Loss, Quantile

_HALVINGS = 200
_DOUBLINGS = 64
_FLAT = 1e-9  # share of the slope at zero that counts as none
_TRIED = 33  # quantiles of the residuals


def best_constants(
    loss: Loss, y: Floats, raw: Floats, weight: Floats | None, rows: Any, starts: Indices
) -> Floats:
    r"""For each leaf the :math:`\beta` that minimises :math:`\sum_i w_i \ell(f_i + \beta, y_i)`.

    The rows of leaf ``k`` are ``rows[starts[k]:starts[k + 1]]``. Where the absolute or the
    quantile loss is minimised by an interval, its middle is taken. Of a loss that is not convex the
    best of many constants is improved to the next stationary point. A loss that falls without end,
    like that of a margin where all rows have one sign, is followed until its slope is a billionth.

    Raises
    ------
    FitError
        Where no constant minimises the loss.

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
    if not loss.convex:
        pairs = pairwise(starts)
        return np.array([_of_many(loss, y, raw, weight, rows[a:b]) for a, b in pairs])
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
    """Zero of the sum of slopes of every leaf, all leaves at once; of several the middle."""
    sizes = np.diff(starts)
    first = starts[:-1]

    def slope(beta: Floats) -> Floats:
        with np.errstate(over="ignore", invalid="ignore"):
            own = loss.slope(raw + np.repeat(beta, sizes), y)
        return np.asarray(np.add.reduceat(own if weight is None else weight * own, first))

    if loss.form == "residual":  # least where a residual vanishes
        rest = y - raw
        low, high = np.minimum.reduceat(rest, first), np.maximum.reduceat(rest, first)
    else:
        low, high = _bracket(slope, len(sizes))
    if not (slope(low) <= slope(high)).all():  # also NaN
        raise FitError(f"{type(loss).__name__}: no constant minimises it on these targets")
    width = high - low
    ends = []
    for above in (np.greater, np.greater_equal):  # the last and the first of equal constants
        a, b = low, high
        for _ in range(_HALVINGS):
            middle = a + 0.5 * (b - a)
            rising = above(slope(middle), 0.0)
            a, b = np.where(rising, a, middle), np.where(rising, middle, b)
            if (b - a <= 1e-15 * width).all():
                break
        ends.append(a + 0.5 * (b - a))
    last, least = ends
    if loss.form == "residual":
        return np.asarray(least + 0.5 * (last - least))
    return np.asarray(np.clip(0.0, least, np.maximum(least, last)))


def _bracket(slope: Callable[[Floats], Floats], n: int) -> tuple[Floats, Floats]:
    """Constants between which the slope of every leaf vanishes, or is as good as flat."""
    low, high = np.full(n, -1.0), np.ones(n)
    flat = _FLAT * np.abs(slope(np.zeros(n)))
    for _ in range(_DOUBLINGS):
        below, above = slope(low) <= flat, slope(high) >= -flat
        if below.all() and above.all():
            return low, high
        low, high = np.where(below, low, 2 * low), np.where(above, high, 2 * high)
    return high, low  # refused


def _of_many(loss: Loss, y: Floats, raw: Floats, weight: Floats | None, rows: Any) -> float:
    """A constant of little loss for one leaf, of a loss that may have several valleys."""
    own, target = raw[rows], y[rows]
    w = np.ones(len(own)) if weight is None else weight[rows]
    if loss.form == "residual":
        tried = np.quantile(target - own, np.linspace(0.0, 1.0, _TRIED))
    else:
        steps = 2.0 ** np.arange(-6, 6)
        tried = np.concatenate([-steps, steps])
    tried = np.unique(np.append(tried, 0.0))

    def total(beta: float) -> float:
        return float(w @ loss.value(own + beta, target))

    best = int(np.argmin([total(beta) for beta in tried]))
    edges = tried[max(0, best - 1)], tried[min(len(tried) - 1, best + 1)]
    if edges[0] == edges[1]:
        return float(tried[best])
    search = minimize_scalar(total, bounds=edges, method="bounded", options={"xatol": 0.0})
    return float(search.x if search.fun < total(tried[best]) else tried[best])
