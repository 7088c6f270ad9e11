"""Values that are not known: which they are, and columns that say so."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from margin.causal.tables._columns import Name, column, is_unknown, is_words
from margin.core import check
from margin.core.types import Array, Bools

MISSING = "missing"


def some_rows(owner: object, frame: Any, names: Iterable[Name], rows: Bools) -> dict[Name, Array]:
    """Named columns of a frame at some of its rows.

    Examples
    --------
    >>> some_rows("A", {"x": [1, 2, 3]}, ["x"], np.array([True, False, True]))
    {'x': array([1, 3])}
    """
    columns = {name: column(owner, frame, name) for name in names}
    for values in columns.values():
        if len(values) != len(rows):
            raise check.fail(owner, "frame", f"of {len(rows)} rows in every column", len(values))
    return columns if rows.all() else {name: values[rows] for name, values in columns.items()}


def indicated(
    owner: object, frame: Mapping[Name, Array], names: tuple[Name, ...]
) -> tuple[dict[Name, Array], tuple[Name, ...]]:
    """Covariates without gaps, and one more column for each that had some.

    Numbers that are not known become the mean of those that are, beside a column that is 1 where
    they were not; among words "missing" is one more.

    Examples
    --------
    >>> found, names = indicated("A", {"z": np.array([1.0, np.nan, 3.0])}, ("z",))
    >>> names, found["z"], found["z missing"]
    (('z', 'z missing'), array([1., 2., 3.]), array([0., 1., 0.]))
    """
    filled, listed = dict(frame), []
    for name in names:
        values, gone = frame[name], is_unknown(frame[name])
        listed.append(name)
        if not gone.any():
            continue
        if gone.all():
            raise check.fail(owner, f"column {name!r}", "known in some row", "no row")
        if is_words(values[~gone]):
            words = values.astype(object)
            words[gone] = MISSING
            filled[name] = words
            continue
        numbers = np.empty(len(values))
        numbers[~gone] = values[~gone].astype(np.float64)
        numbers[gone] = numbers[~gone].mean()
        said = f"{name} {MISSING}"
        filled[name], filled[said] = numbers, gone.astype(np.float64)
        listed.append(said)
    return filled, tuple(listed)
