"""What each column of a table is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from margin.evaluation.table import _dates, _scales
from margin.evaluation.table._column_info import ColumnInfo, Scale
from margin.evaluation.table._histogram import histogram

if TYPE_CHECKING:
    import pandas as pd

USED = frozenset({"nominal", "ordinal", "numeric", "date", "text"})
# Names that a hint lists where none is close.
_NAMED = 6
SCALES: tuple[str, ...] = get_args(Scale)


def as_frame(table: Any) -> pd.DataFrame:
    """The table as a pandas frame with text column names; refuses what no model can take.

    Accepts pandas frames and everything with a ``to_pandas`` method (polars, pyarrow). Duplicate
    names and infinite values are refused, with the column named.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("comparing models needs pandas: pip install 'margin[compare]'") from error

    if not isinstance(table, pd.DataFrame):
        if not hasattr(table, "to_pandas"):
            raise ValueError(
                f"the table must be a data frame with named columns, got {type(table).__name__}"
            )
        table = table.to_pandas()
    frame = table.set_axis([str(c) for c in table.columns], axis=1)
    repeated = frame.columns[frame.columns.duplicated()]
    if len(repeated):
        raise ValueError(f"column names must be different, got {repeated[0]!r} more than once")
    if not frame.shape[1]:
        raise ValueError("the table has no columns")
    if not len(frame):
        raise ValueError("the table has no rows")
    _refuse_infinity(frame)
    return frame


def _refuse_infinity(frame: pd.DataFrame) -> None:
    import pandas as pd

    floats = [n for n, kind in frame.dtypes.items() if pd.api.types.is_float_dtype(kind)]
    infinite = np.isinf(frame[floats].to_numpy(dtype=float, na_value=np.nan)).sum(axis=0)
    for name, count in zip(floats, infinite.tolist(), strict=True):
        if count:
            values = "value" if count == 1 else "values"
            raise ValueError(f"column {name!r} must be finite, got {count} infinite {values}")


def near(name: str, known: Iterable[str]) -> str:
    """Hint with the known names closest to a misspelt one, or with the first of them.

    Examples
    --------
    >>> near("specis", ["species", "width"])
    "; did you mean 'species'?"
    >>> near("z", ["species", "width"]), near("z", [])
    ("; there are 'species', 'width'", '')
    """
    known = list(map(str, known))
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return f"; there are {', '.join(map(repr, known[:_NAMED]))}{more}" if known else ""


def describe_columns(
    frame: Any, overrides: Mapping[str, Scale] | None = None
) -> tuple[ColumnInfo, ...]:
    """Scale of every column, with the reason.

    A column is *nominal* (levels without order), *ordinal* (ordered categories, known ordered
    words, ratings), *numeric* (interval or ratio), *date*, *text* (free text), *identifier*
    (too many different values to learn from), *constant* or *empty*. The last three are not used.

    Parameters
    ----------
    frame : DataFrame
        The table.
    overrides : mapping of str to str, optional
        Scale of the columns for which the guess would be wrong.

    Returns
    -------
    tuple of ColumnInfo
        In the order of the columns.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"grade": ["low", "high", "low"], "mass": [2.5, 3.0, 4.5]})
    >>> [(c.name, c.scale) for c in describe_columns(frame)]
    [('grade', 'ordinal'), ('mass', 'numeric')]
    """
    return describe(as_frame(frame), overrides or {})


def describe(frame: pd.DataFrame, overrides: Mapping[str, Scale]) -> tuple[ColumnInfo, ...]:
    """Columns of a frame that :func:`as_frame` has checked, as :func:`describe_columns` does."""
    for name, scale in overrides.items():
        if name not in frame.columns:
            raise ValueError(f"no column {name!r}{near(name, frame.columns)}")
        if scale not in SCALES:
            raise ValueError(
                f"scale of column {name!r} must be one of {', '.join(SCALES)}, got {scale!r}"
            )
    return tuple(_describe(name, frame[name], overrides.get(name)) for name in frame.columns)


def _describe(name: str, column: pd.Series, asked: Scale | None) -> ColumnInfo:
    values = column.dropna()
    n_distinct = _scales.distinct(name, values)
    if asked is None or not len(values):
        scale, reason = _scales.infer(name, column, values, n_distinct)
    else:
        _refuse_impossible(name, values, asked)
        scale, reason = asked, "as asked"
    return ColumnInfo(
        name=name,
        scale=scale,
        reason=reason,
        n_distinct=n_distinct,
        n_missing=len(column) - len(values),
        used=scale in USED,
        summary=_summary(values, scale),
        histogram=histogram(values, scale),
    )


def _refuse_impossible(name: str, values: pd.Series, scale: Scale) -> None:
    import pandas as pd

    types = pd.api.types
    if scale == "numeric" and not types.is_timedelta64_dtype(values.dtype):
        numbers = pd.to_numeric(values.astype(object), errors="coerce")
        if numbers.isna().any():
            odd = values[numbers.isna()].iloc[0]
            raise ValueError(f"column {name!r} must hold numbers to be numeric, got {odd!r}")
    if scale == "date" and not types.is_datetime64_any_dtype(values.dtype):
        inferred = types.infer_dtype(values)
        if not inferred.startswith(("date", "period")) and _dates.layout(values) is None:
            odd = values.iloc[0]
            raise ValueError(f"column {name!r} must hold dates of one layout, got {odd!r}")


def _summary(values: pd.Series, scale: Scale) -> str:
    import pandas as pd

    if not len(values):
        return ""
    numeric = pd.api.types.is_numeric_dtype(values.dtype) and values.dtype != bool
    if numeric and scale in {"numeric", "ordinal"}:
        low, mid, high = np.quantile(values.to_numpy(dtype=float), [0, 0.5, 1])
        return f"{low:.4g} to {high:.4g}, median {mid:.4g}"
    if scale == "date":
        fmt = _dates.layout(values) if pd.api.types.is_string_dtype(values.dtype) else None
        instants = _dates.days(values, fmt)
        first, last = (
            str(np.datetime64(int(d), "D")) for d in (np.nanmin(instants), np.nanmax(instants))
        )
        return f"{first} to {last}"
    if scale in {"nominal", "ordinal"}:
        counts = values.value_counts().head(4)
        shown = ", ".join(f"{_short(level)} {count}" for level, count in counts[:3].items())
        return shown + (", …" if len(counts) > 3 else "")
    return f"such as {_short(values.iloc[0])}"


def _short(value: object, width: int = 40) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= width else text[: width - 1] + "…"
