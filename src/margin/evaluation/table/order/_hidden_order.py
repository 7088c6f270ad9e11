"""Rows that follow one another in time, though nobody said so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

from margin.core.types import Array, Floats
from margin.evaluation.table import _dates
from margin.evaluation.table._column_info import ColumnInfo

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_ROWS = 60
_FEWEST_TIMES = 10
# Neighbouring rows must be this alike, and this far beyond chance.
_ALIKE, _BEYOND = 0.2, 5.0
_SORTED = 0.98


class HiddenOrder(NamedTuple):
    """Place of each row in time, the column it comes from (empty: the rows), and why."""

    order: Floats
    name: str
    reason: str


def hidden_order(
    frame: pd.DataFrame, columns: tuple[ColumnInfo, ...], y: Array
) -> HiddenOrder | None:
    """The order that a random split would ignore, or ``None``.

    A date column gives one; else rows whose targets resemble those of their neighbours do, unless
    the table is merely sorted by its target.

    Parameters
    ----------
    frame : DataFrame
        The rows of ``y``, all columns.
    columns : tuple of ColumnInfo
        What the columns are.
    y : ndarray
        The target.
    """
    if len(y) < _FEWEST_ROWS:
        return None
    for column in columns:
        if column.scale == "date" and column.used:
            order = times(frame[column.name])
            if len(np.unique(order)) >= _FEWEST_TIMES:
                return HiddenOrder(order, column.name, f"column {column.name!r} holds dates")
    values = y.astype(np.float64) if y.dtype.kind in "fiub" else None
    alike = likeness(y if values is None else values)
    if alike >= _ALIKE and alike * np.sqrt(len(y)) >= _BEYOND and not _sorted_by(y):
        words = f"the target of a row resembles that of the row before (correlation {alike:.2f})"
        return HiddenOrder(np.arange(len(y), dtype=np.float64), "", words)
    return None


def times(column: pd.Series) -> Floats:
    """Days of a date column, or the numbers of another; unknown times come first."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column.dtype):
        values = column.to_numpy(dtype=float, na_value=np.nan)
    else:
        text = pd.api.types.is_string_dtype(column.dtype)
        values = _dates.days(column, _dates.layout(column) if text else None)
    known = values[~np.isnan(values)]
    return np.where(np.isnan(values), known.min() - 1 if len(known) else 0.0, values)


def likeness(y: Array) -> float:
    """Correlation of each value with the one before; of classes, the mean over their indicators.

    Examples
    --------
    >>> round(likeness(np.array([1.0, 2.0, 3.0, 4.0, 5.0])), 2)
    1.0
    """
    if y.dtype.kind == "f":
        if np.ptp(y[1:]) == 0 or np.ptp(y[:-1]) == 0:
            return 0.0
        # of ranks, so that one huge value cannot decide
        return float(stats.spearmanr(y[1:], y[:-1]).statistic)
    _, codes = np.unique(y, return_inverse=True)
    shares = np.bincount(codes) / len(codes)
    same = float((codes[1:] == codes[:-1]).mean())
    expected = float((shares**2).sum())
    return (same - expected) / max(1.0 - expected, 1e-12)


def _sorted_by(y: Array) -> bool:
    """Whether the rows are just sorted by the target, or its classes lie in blocks."""
    if len(np.unique(y)) <= 10:
        runs = 1 + int((y[1:] != y[:-1]).sum())
        return runs <= 2 * len(np.unique(y))
    place = np.arange(len(y))
    return bool(abs(float(stats.spearmanr(place, y).statistic)) >= _SORTED)
