"""Which columns hold measurements rather than categories."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

_NEVER = ("bool", "cat", "enum", "int", "str", "uint", "<u")


def is_continuous(column: Any) -> bool:
    """Whether a column holds floating-point numbers some of which are not whole.

    Whole numbers may be categories, also where NaN has made floats of them; a column of a
    categorical type is not continuous whatever its values.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.search import is_continuous
    >>> [is_continuous(c) for c in ([0.5, 1.0], [0.0, 1.0, np.nan], ["a", "b"], [True, False])]
    [True, False, False, False]
    """
    kind = str(getattr(column, "dtype", "")).lower()
    if kind.startswith(_NEVER):
        return False
    values = np.asarray(column)
    if values.dtype == object:
        numbers = []
        for value in values.tolist():
            if _unknown(value):
                continue
            if isinstance(value, bool) or not isinstance(value, Real):
                return False
            numbers.append(value)
        values = np.array(numbers, dtype=np.float64)
    if values.dtype.kind != "f":
        return False
    finite = values[np.isfinite(values)]
    return bool((finite != np.floor(finite)).any())


def continuous_columns(frame: Any) -> tuple[Any, ...]:
    """Names (or places) of the continuous columns of a frame or a two-dimensional array.

    Examples
    --------
    >>> from margin.search import continuous_columns
    >>> continuous_columns([[0.5, "a"], [1.0, "b"]])
    (0,)
    """
    if hasattr(frame, "columns") and hasattr(frame, "dtypes"):
        names = list(frame.columns)
        if len(set(names)) < len(names):
            return ()
        return tuple(name for name in names if is_continuous(frame[name]))
    array = frame if isinstance(frame, np.ndarray) else np.asarray(frame, dtype=object)
    if array.ndim != 2:
        return ()
    return tuple(at for at, column in enumerate(array.T) if is_continuous(column))


def floating_columns(frame: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Names of the columns of floating-point numbers, whole or not, and of all columns.

    Examples
    --------
    >>> from margin.search import floating_columns
    >>> floating_columns([[0.5, 1.0, "a"], [1.0, 2.0, "b"]])
    ((0, 1), (0, 1, 2))
    """
    if hasattr(frame, "columns") and hasattr(frame, "dtypes"):
        names = tuple(frame.columns)
        columns = [frame[name] for name in names]
    else:
        array = frame if isinstance(frame, np.ndarray) else np.asarray(frame, dtype=object)
        names, columns = tuple(range(array.shape[1])), list(array.T)
    return tuple(n for n, c in zip(names, columns, strict=True) if _floating(c)), names


def _floating(column: Any) -> bool:
    if str(getattr(column, "dtype", "")).lower().startswith("float"):
        return True
    values = np.asarray(column)
    if values.dtype != object:
        return False
    known = [v for v in values.tolist() if not _unknown(v)]
    return all(isinstance(v, float) for v in known)


def _unknown(value: Any) -> bool:
    # What pandas writes for unknown values cannot say whether it equals itself.
    return value is None or type(value).__name__ == "NAType" or bool(value != value)
