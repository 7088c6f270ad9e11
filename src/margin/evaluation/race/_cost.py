"""What a fit will cost, from fits on small parts of the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

WORST = 3.0
# Shorter times hold more of the calls around a fit than of the fit: they show no growth.
_READABLE = 5e-3
_LEAST_GROWING = 0.1
FIRST_ROWS, MOST_ROWS = 64, 4096
_FIRST_COLUMNS = 200
_WIDER, _LONGER = 2.5, 4


class Trial(NamedTuple):
    """Seconds of one fit on a part of the table; a lower bound where it was stopped."""

    rows: int
    columns: int
    seconds: float
    finished: bool = True


def predicted(trials: Sequence[Trial], rows: int, columns: int, power: float) -> float:
    """Seconds of a fit on that many rows and columns; not known (infinite) without trials.

    Two trials of different rows are continued in two ways: by a fixed part plus a part that grows
    by ``power``, and by the power that they show; the smaller is taken, because every fit has its
    limit. One trial alone grows by ``power``; with the columns, by the power that trials show, or
    the square.

    Parameters
    ----------
    trials : sequence of Trial
        In the order they were made, each larger than the one before.
    rows, columns : int
        Size of the fit to come.
    power : float
        Promised growth with the rows.

    Examples
    --------
    >>> predicted([Trial(100, 5, 0.01), Trial(400, 5, 0.16)], 800, 5, power=2)
    0.64
    >>> predicted([Trial(100, 5, 0.001)], 400, 5, power=2)
    0.016
    """
    if not trials:
        return math.inf
    last = trials[-1]
    rows = max(rows, last.rows)
    seconds = last.seconds * (rows / last.rows) ** power
    before = _before(trials, "rows")
    if before is not None and last.finished:
        seconds = min(seconds, _affine(before, last, rows, power), _by_power(before, last, rows))
    return float(seconds * (columns / last.columns) ** _columns_power(trials))


def _affine(before: Trial, last: Trial, rows: int, power: float) -> float:
    """A fixed part and one that grows, of at least a tenth of the last trial."""
    growing = (last.seconds - before.seconds) / (1.0 - (before.rows / last.rows) ** power)
    growing = max(growing, _LEAST_GROWING * last.seconds)
    return float(last.seconds + growing * ((rows / last.rows) ** power - 1.0))


def _by_power(before: Trial, last: Trial, rows: int) -> float:
    if before.seconds < _READABLE:
        return math.inf
    growth = math.log(last.seconds / before.seconds) / math.log(last.rows / before.rows)
    return float(last.seconds * (rows / last.rows) ** np.clip(growth, 1.0, WORST))


def _columns_power(trials: Sequence[Trial]) -> float:
    """Growth with the columns between the last two trials that differ in them."""
    before, last = _before(trials, "columns"), trials[-1]
    if before is None or before.seconds < _READABLE or not last.finished:
        return 2.0
    growth = math.log(last.seconds / before.seconds) / math.log(last.columns / before.columns)
    return float(np.clip(growth, 1.0, WORST))


def _before(trials: Sequence[Trial], along: str) -> Trial | None:
    """The trial before the last that was smaller in one direction and equal in the other."""
    other, last = "columns" if along == "rows" else "rows", trials[-1]
    for trial in reversed(trials[:-1]):
        smaller = getattr(trial, along) < getattr(last, along)
        if smaller and getattr(trial, other) == getattr(last, other):
            return trial
    return None


def steps(n_rows: int, n_columns: int) -> list[tuple[int, int]]:
    """Parts of a table to try, small first: more columns on few rows, then more rows.

    The first has at most 64 rows and 200 columns; rows grow fourfold to a few thousand, and stay
    below half of the table: the next fit is the first fold. The first is made twice: a first fit
    also pays for imports and memory.

    Examples
    --------
    >>> steps(1000, 5)
    [(64, 5), (64, 5), (256, 5)]
    >>> steps(40, 700)
    [(40, 200), (40, 200), (40, 500), (40, 700)]
    """
    rows, columns = min(FIRST_ROWS, n_rows), min(_FIRST_COLUMNS, n_columns)
    parts = [(rows, columns)] * 2
    while columns < n_columns:
        columns = min(int(columns * _WIDER), n_columns)
        parts.append((rows, columns))
    while (rows := rows * _LONGER) <= min(n_rows / 2, MOST_ROWS):
        parts.append((rows, n_columns))
    return parts
