"""What the target asks for, and whether it can be answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from margin.core.types import Array, Bools, Floats, Places
from margin.evaluation.table import _dates
from margin.evaluation.table._column_info import TaskName
from margin.evaluation.table._columns import near

if TYPE_CHECKING:
    import pandas as pd

MAX_INTEGER_CLASSES = 10
MIN_ROWS = 10
_MIN_ROWS_PER_CLASS = 3
_TARGET_NAMES = ("target", "y", "label", "class", "outcome", "response")


class InferredTask(NamedTuple):
    """A task and why."""

    task: TaskName
    reason: str


class Target(NamedTuple):
    """The target as an array, with the rows it belongs to."""

    task: TaskName
    values: Array
    rows: Places
    warnings: tuple[str, ...]


def choose_target(frame: pd.DataFrame, target: str | None) -> tuple[str, tuple[str, ...]]:
    """Name of the target column: the one asked for, a usual name, or the last column."""
    if target is not None:
        target = str(target)
        if target not in frame.columns:
            raise ValueError(f"no column {target!r} in the table{near(target, frame.columns)}")
        return target, ()
    by_name = {str(c).casefold(): c for c in reversed(frame.columns)}
    for usual in _TARGET_NAMES:
        if usual in by_name:
            return by_name[usual], (f"no target named: took column {by_name[usual]!r}",)
    last = frame.columns[-1]
    return last, (f"no target named: took the last column, {last!r}",)


def infer_task(target: pd.Series) -> InferredTask:
    """Classification or regression, from the values of the target.

    Text, categories, booleans, two values, or at most ten different whole numbers make classes;
    everything else is a number to predict.

    Examples
    --------
    >>> import pandas as pd
    >>> infer_task(pd.Series(["ham", "spam", "ham"]))
    InferredTask(task='classification', reason='2 classes of text')
    >>> infer_task(pd.Series([0.5, 1.5, 2.25])).task
    'regression'
    """
    import pandas as pd

    values = target.dropna()
    n_distinct = int(values.nunique())
    if pd.api.types.is_bool_dtype(values.dtype):
        return InferredTask("classification", "true or false")
    if isinstance(values.dtype, pd.CategoricalDtype):
        return InferredTask("classification", f"{n_distinct} categories")
    numbers = as_numbers(values)
    if numbers is None:
        return InferredTask("classification", f"{n_distinct} classes of text")
    if n_distinct == 2:
        return InferredTask("classification", "two values")
    whole = bool((numbers % 1 == 0).all())
    if whole and n_distinct <= MAX_INTEGER_CLASSES and len(values) >= 3 * n_distinct:
        return InferredTask("classification", f"{n_distinct} different whole numbers")
    return InferredTask("regression", f"numbers with {n_distinct} different values")


def as_numbers(values: pd.Series) -> Floats | None:
    """Values as floats if all of them read as numbers, else ``None``."""
    import pandas as pd

    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(object)
    if not pd.api.types.is_numeric_dtype(values.dtype):
        kind = pd.api.types.infer_dtype(values)
        if kind not in {"string", "integer", "floating", "mixed-integer-float", "decimal"}:
            return None
        values = pd.to_numeric(values.astype(object), errors="coerce")
        if values.isna().any():
            return None
    return np.asarray(values.to_numpy(dtype=float))


def check_target(column: pd.Series, task: TaskName | None = None) -> Target:
    """Target values that a model can be fitted to, or an error that says why not.

    Rows without a target, and rows whose class nobody shares, are left out with a warning.
    """
    name = column.name
    rows = np.flatnonzero(column.notna().to_numpy())
    warnings = []
    if len(rows) < len(column):
        absent = len(column) - len(rows)
        few = "1 row has" if absent == 1 else f"{absent} rows have"
        left = "is" if absent == 1 else "are"
        warnings.append(f"{few} no {name!r} and {left} left out")
    column = column.iloc[rows]
    if len(column) < MIN_ROWS:
        raise ValueError(
            f"target {name!r} must be known in at least {MIN_ROWS} rows, got {len(column)}"
        )
    _refuse_kind(column)
    asked = infer_task(column).task if task is None else task
    if asked == "regression":
        return Target(asked, _numeric(column), rows, tuple(warnings))
    values, kept, notes = _classes(column)
    return Target(asked, values, rows[kept], (*warnings, *notes))


def _refuse_kind(column: pd.Series) -> None:
    import pandas as pd

    kind = pd.api.types.infer_dtype(column)
    if kind.startswith(("datetime", "date", "period", "timedelta")) or (
        kind == "string" and _dates.layout(column) is not None
    ):
        raise ValueError(f"target {column.name!r} must be classes or numbers, got dates")
    if kind.startswith("mixed") and kind != "mixed-integer-float":
        raise ValueError(f"target {column.name!r} mixes numbers and text; clean it")


def _numeric(column: pd.Series) -> Floats:
    numbers = as_numbers(column)
    if numbers is None:
        raise ValueError(f"target {column.name!r} must hold numbers for regression")
    if np.ptp(numbers) == 0:
        raise ValueError(f"target {column.name!r} must vary, got {numbers[0]:g} in every row")
    return numbers


def _classes(column: pd.Series) -> tuple[Array, Bools, list[str]]:
    import pandas as pd

    name = column.name
    values: Array
    if pd.api.types.is_bool_dtype(column.dtype):
        values = column.to_numpy(dtype=bool)
    elif pd.api.types.is_numeric_dtype(column.dtype):
        values = column.to_numpy(dtype=float)
        if (values % 1 == 0).all():
            values = values.astype(np.int64)
    else:
        values = column.astype(object).to_numpy().astype(str)
    labels, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(labels) == 1:
        raise ValueError(
            f"target {name!r} must have at least 2 classes, got only {labels[0].item()!r}"
        )
    if len(labels) * _MIN_ROWS_PER_CLASS > len(values):
        raise ValueError(
            f"target {name!r} must have at least {_MIN_ROWS_PER_CLASS} rows per class on average, "
            f"got {len(labels)} classes in {len(values)} rows; is it an identifier, or a number "
            "to predict by regression?"
        )
    alone = labels[counts == 1]
    notes = []
    if len(alone):
        if len(labels) - len(alone) < 2:
            raise ValueError(
                f"target {name!r} must have at least 2 rows in 2 classes, "
                f"got class {alone[0].item()!r} once"
            )
        shown = ", ".join(repr(label.item()) for label in alone[:3])
        more = ", …" if len(alone) > 3 else ""
        notes.append(f"classes of {name!r} with a single row are left out: {shown}{more}")
    kept = counts[codes] > 1
    return values[kept], kept, notes
