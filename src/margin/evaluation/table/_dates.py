"""Dates written as text: which layout, and what instant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core.types import Floats

if TYPE_CHECKING:
    import pandas as pd

# Day before month where both fit: the layout is settled by the first one that reads every value.
LAYOUTS = (
    "ISO8601",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
)
_SAMPLE = 100
_SECONDS_PER_DAY = 86_400.0


def layout(values: pd.Series) -> str | None:
    """First layout that reads every non-missing text of ``values``, or ``None``.

    Examples
    --------
    >>> import pandas as pd
    >>> layout(pd.Series(["31.12.2024", "01.02.2025"]))
    '%d.%m.%Y'
    >>> layout(pd.Series(["4/13/2024", "2/1/2025"]))
    '%m/%d/%Y'
    >>> layout(pd.Series(["north", "south"])) is None
    True
    """
    import pandas as pd

    distinct = pd.Series(values.dropna().unique()).astype(str)
    sample = distinct.iloc[:_SAMPLE]
    # Short digit strings ("12", "2024") are numbers or codes, not dates.
    if not len(sample) or not sample.str.contains(r"\d\D+\d|[A-Za-z]\D*\d").all():
        return None
    for candidate in LAYOUTS:
        if (
            not _read(sample, candidate).isna().any()
            and not _read(distinct, candidate).isna().any()
        ):
            return candidate
    return None


def _read(values: Any, fmt: str) -> pd.Series:
    import pandas as pd

    return pd.to_datetime(values, format=fmt, errors="coerce", utc=True)


def days(column: pd.Series, fmt: str | None) -> Floats:
    """Days since 1 January 1970 (UTC) with the time of day as a fraction; NaN where unknown.

    Parameters
    ----------
    column : Series
        Dates as a date type, as date objects or as text.
    fmt : str or None
        Layout of the text, from :func:`layout`; not needed for date types.

    Examples
    --------
    >>> import pandas as pd
    >>> days(pd.Series(["1970-01-03", None, "1970-01-01 12:00"]), "ISO8601")
    array([2. , nan, 0.5])
    """
    import pandas as pd

    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    text = pd.api.types.is_string_dtype(column.dtype) or isinstance(
        column.dtype, pd.CategoricalDtype
    )
    if text:
        # A table read from another kind of file may hold as text what was a date type in training.
        fmt = fmt or layout(column) or LAYOUTS[0]
        instants = _read(column.astype(object), fmt)
    else:
        instants = pd.to_datetime(column, utc=True, errors="coerce")
    stamps = instants.dt.tz_localize(None).to_numpy(dtype="datetime64[s]")
    seconds = stamps.astype(np.int64).astype(np.float64)
    seconds[np.isnat(stamps)] = np.nan
    return np.asarray(seconds / _SECONDS_PER_DAY)
