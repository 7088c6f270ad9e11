"""From raw columns to plain arrays: numbers, text, parts of dates.

Small scikit-learn transformers that learn nothing but the layout of their columns, so that a
saved pipeline takes the raw table. Each names the column when it refuses a value.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from margin.core.types import Floats
from margin.evaluation.table import _dates, _scales
from margin.evaluation.table._levels import written

_FLOATS = (np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.int32))
_DAYS_PER_SECOND = 1.0 / 86_400.0


class AsNumbers(TransformerMixin, BaseEstimator):
    """Columns as float64: numbers, text that reads as numbers, durations in days.

    Examples
    --------
    >>> import pandas as pd
    >>> AsNumbers().fit_transform(pd.DataFrame({"a": ["1.5", None, "2"]})).ravel()
    array([1.5, nan, 2. ])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the names of the columns."""
        self.columns_ = [str(c) for c in X.columns]
        return self

    def transform(self, X: Any) -> Floats:
        """Return the table as numbers, NaN where missing."""
        if all(kind in _FLOATS for kind in X.dtypes.unique()):
            values = X.to_numpy(dtype=float)
            if not np.isinf(values).any():
                return np.asarray(values)
        return np.column_stack([_number(str(name), X[name]) for name in X.columns])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns, unchanged."""
        return np.asarray(self.columns_, dtype=object)


class AsText(TransformerMixin, BaseEstimator):
    """Columns as text: 1, 1.0 and "1" become the same level.

    Parameters
    ----------
    missing : str or None
        What stands for a missing value; ``None`` keeps NaN.
    words : bool
        Compare as words: lower case, single spaces.

    Examples
    --------
    >>> import pandas as pd
    >>> AsText(missing="?").fit_transform(pd.DataFrame({"a": [1.0, None, 2.0]})).ravel().tolist()
    ['1', '?', '2']
    """

    def __init__(self, *, missing: str | None = "(missing)", words: bool = False) -> None:
        self.missing = missing
        self.words = words

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the names of the columns."""
        self.columns_ = [str(X.name)] if X.ndim == 1 else [str(c) for c in X.columns]
        return self

    def transform(self, X: Any) -> NDArray[np.object_]:
        """Return the columns as text; one column (a series) comes back one-dimensional."""
        if X.ndim == 1:
            return self._text(X)
        return np.column_stack([self._text(X[name]) for name in X.columns])

    def _text(self, column: Any) -> NDArray[np.object_]:
        import pandas as pd

        codes, levels = pd.factorize(column)
        texts = np.empty(len(levels) + 1, dtype=object)
        texts[:-1] = [written(level) for level in levels]
        if self.words:
            texts[:-1] = [_scales.plain(text) for text in texts[:-1]]
        texts[-1] = np.nan if self.missing is None else self.missing
        return np.asarray(texts[codes])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns, unchanged."""
        return np.asarray(self.columns_, dtype=object)


class DateParts(TransformerMixin, BaseEstimator):
    """Year, month, day of the week, elapsed days and, where times are given, the hour.

    The days count from the earliest date seen in ``fit``; Monday is day 0.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"sold": ["2024-01-01", "2024-03-05"]})
    >>> parts = DateParts().fit(frame)
    >>> parts.transform(frame).tolist()
    [[2024.0, 1.0, 0.0, 0.0], [2024.0, 3.0, 1.0, 64.0]]
    >>> parts.get_feature_names_out().tolist()
    ['sold year', 'sold month', 'sold day of week', 'sold days']
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the layout, the earliest date and whether there are times of day."""
        self.columns_ = [str(c) for c in X.columns]
        self.layouts_, self.origins_, self.timed_ = [], [], []
        for name in X.columns:
            fmt = _layout(X[name])
            known = _dates.days(X[name], fmt)
            known = known[~np.isnan(known)]
            self.layouts_.append(fmt or "")
            self.origins_.append(float(known.min()) if len(known) else 0.0)
            self.timed_.append(bool((known % 1 != 0).any()))
        return self

    def transform(self, X: Any) -> Floats:
        """Return the parts as numbers, NaN where the date is missing or cannot be read."""
        parts = []
        for name, fmt, origin, timed in zip(
            self.columns_, self.layouts_, self.origins_, self.timed_, strict=True
        ):
            day = _dates.days(X[name], fmt or None)
            parts += _calendar(day)
            parts.append(day - origin)
            if timed:
                parts.append((day % 1) * 24.0)
        return np.column_stack(parts)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return one name per part, after its column."""
        names = []
        for column, timed in zip(self.columns_, self.timed_, strict=True):
            parts = ["year", "month", "day of week", "days"] + (["hour"] if timed else [])
            names += [f"{column} {part}" for part in parts]
        return np.asarray(names, dtype=object)


def _number(name: str, column: Any) -> Floats:
    import pandas as pd

    if pd.api.types.is_timedelta64_dtype(column.dtype):
        return np.asarray(column.dt.total_seconds().to_numpy(dtype=float) * _DAYS_PER_SECOND)
    if not pd.api.types.is_numeric_dtype(column.dtype):
        numbers = pd.to_numeric(column.astype(object), errors="coerce").astype(float)
        odd = column[numbers.isna() & column.notna()]
        if len(odd):
            raise ValueError(f"column {name!r} must hold numbers, got {odd.iloc[0]!r}")
        column = numbers
    values = column.to_numpy(dtype=float, na_value=np.nan)
    if np.isinf(values).any():
        raise ValueError(f"column {name!r} must be finite, got an infinite value")
    return np.asarray(values)


def _layout(column: Any) -> str | None:
    import pandas as pd

    types = pd.api.types
    values = column.dropna()
    if types.is_datetime64_any_dtype(column.dtype) or not len(values):
        return None
    return _dates.layout(values) if types.infer_dtype(values) in {"string", "categorical"} else None


def _calendar(day: Floats) -> list[Floats]:
    absent = np.isnan(day)
    stamps = np.floor(np.where(absent, 0.0, day)).astype(np.int64).astype("datetime64[D]")
    year = stamps.astype("datetime64[Y]").astype(np.int64) + 1970
    month = stamps.astype("datetime64[M]").astype(np.int64) % 12 + 1
    weekday = (stamps.astype(np.int64) + 3) % 7
    return [np.where(absent, np.nan, part.astype(float)) for part in (year, month, weekday)]
