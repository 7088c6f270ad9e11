"""Areas under curves of weighted rows, sorted once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from margin.core.types import Bools, Floats, Places


def area_under_roc(hit: Bools, value: Floats) -> Callable[[Floats], float]:
    r"""Area under the ROC curve of rows that count ``w`` times.

    .. math:: \frac{\sum_i \sum_j w_i w_j \,([v_i > v_j] + \tfrac12 [v_i = v_j])}
        {\sum_i w_i \sum_j w_j}

    with :math:`i` over the hits and :math:`j` over the others; NaN where there is only one kind.

    Examples
    --------
    >>> area = area_under_roc(np.array([False, True, False]), np.array([0.1, 0.4, 0.8]))
    >>> area(np.array([3.0, 1.0, 1.0]))
    0.75
    """
    order, starts = _sorted(value)
    hit = hit[order]

    def area(weight: Floats) -> float:
        weight = weight[order]
        hits, others = _grouped(weight * hit, starts), _grouped(weight * ~hit, starts)
        n_hits, n_others = float(hits.sum()), float(others.sum())
        if not (n_hits and n_others):
            return float("nan")
        return float(hits @ (np.cumsum(others) - others / 2)) / (n_hits * n_others)

    return area


def average_precision(hit: Bools, value: Floats) -> Callable[[Floats], float]:
    r"""Average precision of rows that count ``w`` times.

    :math:`\sum_k (R_k - R_{k-1}) P_k` over the distinct values from the largest on, with recall
    :math:`R` and precision :math:`P` of what is at least as large; NaN where nothing or everything
    is a hit.

    Examples
    --------
    >>> average = average_precision(np.array([False, True, True]), np.array([0.8, 0.4, 0.9]))
    >>> round(average(np.array([2.0, 1.0, 1.0])), 4)
    0.75
    """
    order, starts = _sorted(-value)
    hit = hit[order]

    def average(weight: Floats) -> float:
        weight = weight[order]
        hits, rows = _grouped(weight * hit, starts), _grouped(weight, starts)
        true_alarms, told = np.cumsum(hits), np.cumsum(rows)
        if not 0 < true_alarms[-1] < told[-1]:
            return float("nan")
        return float(hits @ (true_alarms / np.maximum(told, 1.0))) / float(true_alarms[-1])

    return average


def _sorted(value: Floats) -> tuple[Places, Places | None]:
    """The order of the values and where each distinct one begins; ``None`` without ties."""
    order = np.argsort(value, kind="stable")
    value = value[order]
    starts = np.r_[0, np.flatnonzero(value[1:] != value[:-1]) + 1]
    return order, None if len(starts) == len(value) else starts


def _grouped(values: Floats, starts: Places | None) -> Floats:
    return np.asarray(values if starts is None else np.add.reduceat(values, starts))
