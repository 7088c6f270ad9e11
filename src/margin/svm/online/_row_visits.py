"""Orders in which stochastic machines visit their rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from margin.core import DistinctRows, distinct_rows, stored_rows
from margin.core.types import Array, Floats, Indices
from margin.native.rows.row_order import shuffled

# Visits of a row per epoch, on average, at the most.
MOST = 16.0


def rows_to_visit(X: Any, codes: Array, weight: Floats | None, *, table: bool) -> DistinctRows:
    """Groups of equal rows of a table; objects and kernel matrices one by one, as stored."""
    return distinct_rows(X, codes, weight, 1) if table else stored_rows(codes, weight)


def loss_shares(rows: DistinctRows, n: int) -> Floats:
    """Share of every row in the mean loss: they add up to one."""
    shares = np.zeros(n)
    shares[rows.visits] = 1.0 if rows.weight is None else rows.weight[rows.visits]
    return np.asarray(shares / shares.sum())


def visit_orders(rows: DistinctRows, seed: int) -> Iterator[Indices]:
    """Endless epochs of visits in random order, in proportion to the weights.

    After :math:`e` epochs row :math:`i` has been visited :math:`e s_i` times, rounded up or down,
    where the weights are scaled so that their mean is at least 1 and at most ``MOST``: without
    weights every row is visited once per epoch, and a row of weight two is visited twice.

    Examples
    --------
    >>> rows = stored_rows(np.zeros(3), np.array([1.0, 0.5, 1.5]))
    >>> orders = visit_orders(rows, seed=0)
    >>> np.bincount(np.concatenate([next(orders), next(orders)])).tolist()
    [2, 1, 3]
    """
    weight = None if rows.weight is None else rows.weight[rows.visits]
    if weight is None:
        quota, due = np.ones(len(rows.visits)), np.zeros(len(rows.visits))
    else:
        mean = weight.mean()
        quota = weight * (min(max(mean, 1.0), MOST) / mean)
        due = np.random.default_rng(seed).random(len(weight))
    even, epoch = bool((quota == 1.0).all()), 0
    while True:
        chosen = rows.visits
        if not even:
            due += quota
            times = np.floor(due)
            due -= times
            chosen = np.repeat(chosen, times.astype(np.int64))
        yield shuffled(chosen, (seed * 0x9E3779B97F4A7C15) ^ (epoch * 0xD1B54A32D192ED03))
        epoch += 1


def stream_order(n: int, weight: Floats | None) -> Indices:
    """Rows in their order, each as often as its weight says, rounded so that the sum is right.

    Examples
    --------
    >>> stream_order(4, np.array([1.0, 0.5, 0.0, 2.5])).tolist()
    [0, 1, 3, 3]
    """
    if weight is None:
        return np.arange(n)
    reached = np.floor(np.cumsum(weight) + 0.5).astype(np.int64)
    return np.repeat(np.arange(n), np.diff(reached, prepend=0))
