"""How the values of a column are spread, in few numbers: enough to draw it small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from margin.core.types import Floats
from margin.evaluation.table import _dates
from margin.evaluation.table._column_info import Histogram, Scale

if TYPE_CHECKING:
    import pandas as pd

_BINS = 20
_MOST_LEVELS = 12
# beyond this, differences and sums of values overflow
_LARGEST = 1e300


def histogram(values: pd.Series, scale: Scale) -> Histogram | None:
    """Histogram of the known values of a column; ``None`` where bars would say nothing.

    Examples
    --------
    >>> import pandas as pd
    >>> histogram(pd.Series([1.0, 2.0, 2.0, 3.0]), "numeric").counts
    (1, 2, 1)
    >>> histogram(pd.Series(["b", "a", "b"]), "nominal")
    Histogram(counts=(2, 1), edges=(), levels=('b', 'a'), n_rest=0)
    """
    import pandas as pd

    if not len(values) or scale in {"text", "identifier", "constant", "empty"}:
        return None
    dtype = values.dtype
    if scale == "date":
        fmt = _dates.layout(values) if pd.api.types.is_string_dtype(dtype) else None
        return _of_numbers(np.asarray(_dates.days(values, fmt), dtype=np.float64))
    types = pd.api.types
    number = types.is_numeric_dtype(dtype) and not types.is_bool_dtype(dtype)
    if number and scale != "nominal":
        return _of_numbers(values.to_numpy(dtype=np.float64))
    counts = values.astype(str).value_counts()
    shown = counts.iloc[:_MOST_LEVELS]
    rest = int(counts.sum() - shown.sum())
    return Histogram(tuple(map(int, shown)), (), tuple(map(str, shown.index)), rest)


def _of_numbers(values: Floats) -> Histogram | None:
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    if len(distinct) < 2 or np.abs(distinct).max() > _LARGEST:
        return None
    if len(distinct) <= _BINS:
        # a bar per value, ending half-way to its neighbours
        middle = distinct[:-1] + np.diff(distinct) / 2
        first, last = 2 * distinct[0] - middle[0], 2 * distinct[-1] - middle[-1]
        edges = np.concatenate([[first], middle, [last]])
        counts = np.histogram(known, bins=edges)[0] if np.all(np.diff(edges) > 0) else None
    else:
        counts, edges = np.histogram(known, bins=_BINS)
    if counts is None:
        return None
    return Histogram(tuple(counts.tolist()), tuple(edges.tolist()))
