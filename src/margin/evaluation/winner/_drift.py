"""New rows against the rows that a model learned from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.evaluation.table import _dates
from margin.evaluation.table._column_info import ColumnInfo
from margin.evaluation.table._levels import written
from margin.evaluation.table._scales import plain

if TYPE_CHECKING:
    import pandas as pd

_MOST_LEVELS = 1000
_SHOWN = 3
# Beyond the range by more than this share of it counts; below are rounding and chance.
_SLACK = 0.01

Profile = Mapping[str, Any]


def profile(frame: pd.DataFrame, columns: Sequence[ColumnInfo]) -> list[dict[str, Any]]:
    """What training rows look like, as plain values to keep beside a model.

    Of each used column its name, scale, whether values are ever missing, the range of numbers and
    dates, and the levels of the others (up to 1000).

    Examples
    --------
    >>> import pandas as pd
    >>> from margin.evaluation import describe_columns
    >>> frame = pd.DataFrame({"x": [0.5, None, 2.25, 1.5] * 10, "kind": ["a", "b"] * 20})
    >>> first, second = profile(frame, describe_columns(frame))
    >>> first["low"], first["high"], first["missing"], second["levels"]
    (0.5, 2.25, True, ['a', 'b'])
    """
    return [_profile(frame[c.name], c) for c in columns if c.used and c.name in frame.columns]


def _profile(column: pd.Series, info: ColumnInfo) -> dict[str, Any]:
    known = column.dropna()
    facts: dict[str, Any] = {
        "name": info.name,
        "scale": info.scale,
        "missing": len(known) < len(column),
        "low": None,
        "high": None,
        "levels": [],
        "layout": "",
    }
    if not len(known):
        return facts
    if info.scale == "date":
        facts["layout"] = _layout(known) or ""
        days = _dates.days(known, facts["layout"] or None)
        facts["low"], facts["high"] = float(np.nanmin(days)), float(np.nanmax(days))
    elif info.scale in ("numeric", "ordinal") and (numbers := _numbers(known)) is not None:
        facts["low"], facts["high"] = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    elif info.scale in ("nominal", "ordinal"):
        levels = sorted({_level(value, info.scale) for value in known.unique()})
        facts["levels"] = levels if len(levels) <= _MOST_LEVELS else []
    return facts


def drift(frame: pd.DataFrame, known: Sequence[Profile]) -> list[str]:
    """What sets new rows apart from the training rows, counted, a sentence each.

    Levels that training never had, texts that are no dates, numbers and dates out of range, and
    values missing where none ever was.

    Parameters
    ----------
    frame : DataFrame
        New rows.
    known : sequence of mapping
        From :func:`profile`.

    Examples
    --------
    >>> import pandas as pd
    >>> known = [{"name": "x", "scale": "numeric", "missing": False, "low": 0.0, "high": 1.0,
    ...           "levels": [], "layout": ""}]
    >>> drift(pd.DataFrame({"x": [0.5, 0.0, 7.0]}), known)
    ["column 'x': 1 of 3 rows is above 1, the largest in training"]
    """
    notes: list[str] = []
    for facts in known:
        if facts["name"] in frame.columns:
            notes += _notes(frame[facts["name"]], facts)
    return notes


def _notes(column: pd.Series, facts: Profile) -> list[str]:
    n, notes = len(column), []
    say = _Teller(str(facts["name"]), n)
    absent = column.isna().to_numpy()
    if absent.any() and not facts["missing"]:
        notes.append(say(int(absent.sum()), "missing, never so in training"))
    if facts["low"] is not None:
        date = facts["scale"] == "date"
        values = _dates.days(column, facts["layout"] or None) if date else _numbers(column)
        if values is None:
            return notes
        odd = np.isnan(values) & ~absent
        if odd.any():
            such = column[odd].astype(str).unique()[:_SHOWN].tolist()
            what = "not a date" if date else "not a number"
            notes.append(say(int(odd.sum()), f"{what}, such as {', '.join(map(repr, such))}"))
        notes += _outside(values, facts, say)
    elif facts["levels"]:
        seen = set(facts["levels"])
        new = column[~absent].map(lambda v: _level(v, str(facts["scale"])))
        new = new[~new.isin(seen)]
        if len(new):
            such = ", ".join(repr(v) for v in new.value_counts().index[:_SHOWN])
            notes.append(say(len(new), f"of a level unknown in training: {such}"))
    return notes


def _outside(values: Any, facts: Profile, say: _Teller) -> list[str]:
    low, high = facts["low"], facts["high"]
    slack = _SLACK * (high - low)
    notes = []
    date = facts["scale"] == "date"
    sides = (
        (values < low - slack, low, ("before", "first") if date else ("below", "smallest")),
        (values > high + slack, high, ("after", "last") if date else ("above", "largest")),
    )
    for beyond, end, (word, which) in sides:
        if beyond.any():
            shown = str(np.datetime64(int(np.floor(end)), "D")) if date else f"{end:g}"
            notes.append(say(int(beyond.sum()), f"{word} {shown}, the {which} in training"))
    return notes


class _Teller:
    """Sentences about some rows of one column."""

    def __init__(self, name: str, n: int) -> None:
        self._name, self._n = name, n

    def __call__(self, count: int, what: str) -> str:
        rows = "row is" if self._n == 1 else f"rows {'is' if count == 1 else 'are'}"
        return f"column {self._name!r}: {count} of {self._n} {rows} {what}"


def _level(value: Any, scale: str) -> str:
    return plain(written(value)) if scale == "ordinal" else written(value)


def _numbers(column: pd.Series) -> Any:
    """Values as numbers, NaN where they are none; ``None`` if hardly any is."""
    import pandas as pd

    if pd.api.types.is_timedelta64_dtype(column.dtype):
        return column.dt.total_seconds().to_numpy(dtype=float) / 86_400.0
    numbers = pd.to_numeric(column.astype(object), errors="coerce").to_numpy(dtype=float)
    known = column.notna().to_numpy()
    readable = ~np.isnan(numbers[known])
    return numbers if not len(readable) or readable.mean() > 0.5 else None


def _layout(column: pd.Series) -> str | None:
    import pandas as pd

    types = pd.api.types
    if types.is_datetime64_any_dtype(column.dtype):
        return None
    return _dates.layout(column) if types.infer_dtype(column) in {"string", "categorical"} else None
