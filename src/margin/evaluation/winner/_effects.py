"""How the winner's answer changes with one column, all else as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core.types import Floats
from margin.evaluation.table._column_info import ColumnInfo

if TYPE_CHECKING:
    import pandas as pd

_POINTS = 20
_MOST_LEVELS = 12
_MOST_ROWS = 150


@dataclass(frozen=True, eq=False)
class Effect:
    """Mean answer with one column set to each of some values (partial dependence).

    Parameters
    ----------
    feature : str
        The column.
    numeric : bool
        Whether the values are numbers on an axis; else they are levels.
    values : tuple
        What the column was set to.
    mean : ndarray
        Mean answer over the rows.
    low, high : ndarray
        Between these lie eight of ten rows.
    outcome : str
        What is answered: the target, or the probability of a class.
    """

    feature: str
    numeric: bool
    values: tuple[Any, ...]
    mean: Floats
    low: Floats
    high: Floats
    outcome: str

    @property
    def swing(self) -> float:
        """Largest minus smallest mean answer."""
        return float(np.ptp(self.mean))


def effects(
    answer: Callable[[pd.DataFrame], Floats],
    X: pd.DataFrame,
    columns: Sequence[ColumnInfo],
    *,
    outcome: str,
    seed: int = 0,
) -> tuple[Effect, ...]:
    """Effects of columns on an answer, in the order given; texts have none.

    Parameters
    ----------
    answer : callable
        From rows to one number each.
    X : DataFrame
        Rows to average over; more than 150 are sampled.
    columns : sequence of ColumnInfo
        Columns to vary.
    outcome : str
        What is answered.
    seed : int
        Seed of the sample.
    """
    import pandas as pd

    if len(X) > _MOST_ROWS:
        rows = np.random.default_rng(seed).choice(len(X), _MOST_ROWS, replace=False)
        sampled = X.iloc[np.sort(rows)]
    else:
        sampled = X
    sampled = sampled.reset_index(drop=True)
    shown = []
    for column in columns:
        values = _grid(X[column.name], column)
        if len(values) < 2:
            continue
        table = pd.concat([sampled] * len(values), ignore_index=True)
        table[column.name] = values.repeat(len(sampled)).reset_index(drop=True)
        answers = np.asarray(answer(table), dtype=np.float64).reshape(len(values), -1)
        low, high = np.quantile(answers, [0.1, 0.9], axis=1)
        numeric = bool(pd.api.types.is_numeric_dtype(values.dtype)) and column.scale != "nominal"
        shown.append(
            Effect(
                column.name,
                numeric,
                tuple(v.item() if hasattr(v, "item") else v for v in values),
                answers.mean(axis=1),
                low,
                high,
                outcome,
            )
        )
    return tuple(shown)


def _grid(column: pd.Series, info: ColumnInfo) -> pd.Series:
    """Values to try: over the middle range of numbers, the frequent levels, dates as they come."""
    import pandas as pd

    known = column.dropna()
    if info.scale == "text" or not len(known):
        return known.iloc[:0]
    plain = pd.api.types.is_numeric_dtype(column.dtype) and column.dtype != bool
    distinct = known.drop_duplicates()
    if info.scale in ("numeric", "ordinal") and plain:
        if len(distinct) <= _POINTS:
            return distinct.sort_values()
        low, high = np.quantile(known.to_numpy(dtype=float), [0.05, 0.95])
        steps = np.unique(np.linspace(low, high, _POINTS))
        if pd.api.types.is_integer_dtype(column.dtype):
            steps = np.unique(steps.round())
        return pd.Series(steps, dtype=column.dtype if column.dtype.kind in "fi" else float)
    if info.scale in ("numeric", "date"):
        ordered = distinct.sort_values()
        places = np.unique(np.linspace(0, len(ordered) - 1, _POINTS).astype(int))
        return ordered.iloc[places]
    return known.value_counts().index[:_MOST_LEVELS].to_series().astype(column.dtype)
