"""The plan that a person asked for: forward in time, by groups, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.evaluation.table._column_info import ColumnInfo
from margin.evaluation.table._columns import near
from margin.evaluation.table.order._hidden_order import times
from margin.evaluation.table.order._plan import Plan

if TYPE_CHECKING:
    import pandas as pd

_FEWEST_GROUPS = 4
_FEWEST_TIMES = 4


def state_plan(
    frame: pd.DataFrame,
    columns: tuple[ColumnInfo, ...],
    target: str,
    *,
    split: str = "random",
    group: str | None = None,
) -> Plan:
    """How rows will be set aside; every refusal names the column.

    Parameters
    ----------
    frame : DataFrame
        Rows with a target, all columns.
    columns : tuple of ColumnInfo
        What the columns are.
    target : str
        Column that is predicted.
    split : str
        ``"random"``, ``"time"`` or ``"time:COLUMN"``.
    group : str, optional
        Column that names the groups.
    """
    kind, _, column = split.partition(":")
    if kind not in ("random", "time") or (kind == "random" and column):
        raise check.fail("compare", "split", "'random', 'time' or 'time:COLUMN'", split)
    groups = None if group is None else _groups(frame, group, target)
    if kind == "time":
        order, name = _order(frame, columns, column, target)
        return Plan("time", order, groups, name)
    if groups is None:
        return Plan()
    return Plan("group", None, groups, str(group))


def _known(frame: pd.DataFrame, name: str, target: str, role: str) -> str:
    if name not in frame.columns:
        raise ValueError(f"no column {name!r} in the table{near(name, frame.columns)}")
    if name == target:
        raise check.fail("compare", role, "another column than the target", name)
    return name


def _groups(frame: pd.DataFrame, group: str, target: str) -> Array:
    import pandas as pd

    column = frame[_known(frame, str(group), target, "group")]
    codes, levels = pd.factorize(column)
    # a row of which the group is unknown stands for itself
    alone = codes < 0
    codes[alone] = len(levels) + np.arange(int(alone.sum()))
    n_groups = len(np.unique(codes))
    if n_groups < _FEWEST_GROUPS:
        need = f"a column with at least {_FEWEST_GROUPS} groups"
        raise check.fail("compare", "group", need, f"{group!r} with {n_groups}")
    return np.asarray(codes)


def _order(
    frame: pd.DataFrame, columns: tuple[ColumnInfo, ...], asked: str, target: str
) -> tuple[Floats, str]:
    if asked:
        name = _known(frame, asked, target, "split")
    else:
        dates = [c.name for c in columns if c.scale == "date"]
        if len(dates) > 1:
            need = f"'time:COLUMN' with one of {', '.join(dates)}"
            raise check.fail("compare", "split", need, "time")
        if not dates:
            return np.arange(len(frame), dtype=np.float64), ""
        name = dates[0]
    try:
        order = times(frame[name])
    except (TypeError, ValueError):
        order = np.zeros(0)
    if len(np.unique(order)) < _FEWEST_TIMES:
        need = f"a column of dates or numbers with at least {_FEWEST_TIMES} different ones"
        raise check.fail("compare", "split", need, name)
    return order, name
