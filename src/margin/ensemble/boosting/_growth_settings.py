"""Parameters of estimators as rules of growth."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from numbers import Integral, Real
from typing import Any

import numpy as np

from margin.core import check


def split_features(owner: object, value: Any, n: int) -> int:
    """Columns drawn for a split, 0 for all.

    Examples
    --------
    >>> split_features("Model", "sqrt", 50), split_features("Model", 0.5, 3)
    (7, 1)
    """
    if value is None:
        return 0
    if isinstance(value, str):
        if value not in ("sqrt", "log2"):
            raise _bad_features(owner, value)
        count = int(np.sqrt(n) if value == "sqrt" else np.log2(max(n, 2)))
    elif isinstance(value, bool | np.bool_):
        raise _bad_features(owner, value)
    elif isinstance(value, Integral):
        count = int(value)
        if count < 1:
            raise _bad_features(owner, value)
    elif isinstance(value, Real) and 0 < float(value) <= 1:
        count = int(float(value) * n)
    else:
        raise _bad_features(owner, value)
    count = max(1, count)
    return 0 if count >= n else count


def _bad_features(owner: object, value: Any) -> ValueError:
    need = "None, 'sqrt', 'log2', a count or a share above 0"
    return check.fail(owner, "max_features", need, value)


def monotonic_directions(owner: object, value: Any, n: int, names: Any) -> tuple[int, ...]:
    """1, -1 or 0 per column, from a sequence or a mapping of names; empty if all are free.

    Examples
    --------
    >>> monotonic_directions("Model", {"b": -1}, 2, ["a", "b"])
    (0, -1)
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        if names is None:
            raise check.fail(owner, "monotonic_cst", "a sequence where X has no names", value)
        known = [str(name) for name in names]
        absent = [name for name in value if str(name) not in known]
        if absent:
            raise check.fail(owner, "monotonic_cst", "a mapping of names of columns", absent[0])
        given = np.array([value.get(name, 0) for name in known])
    else:
        given = np.asarray(value)
    if given.shape != (n,):
        need = f"a mapping or {n} numbers, one per column"
        raise check.fail(owner, "monotonic_cst", need, value)
    if not np.isin(given, (-1, 0, 1)).all():
        raise check.fail(owner, "monotonic_cst", "-1, 0 or 1 for every column", value)
    directions = tuple(int(d) for d in given)
    return directions if any(directions) else ()


def interaction_sets(owner: object, value: Any, n: int) -> tuple[tuple[int, ...], ...]:
    """Sets of columns that may stand on one path; columns in none of them form one more.

    Examples
    --------
    >>> interaction_sets("Model", [{0, 1}], 3)
    ((0, 1), (2,))
    """
    if value is None:
        return ()
    if isinstance(value, str):
        if value == "no_interactions":
            return tuple((j,) for j in range(n))
        if value == "pairwise":
            return tuple(combinations(range(n), 2)) if n > 1 else ()
        raise _bad_sets(owner, n, value)
    try:
        sets = [tuple(sorted({int(j) for j in columns})) for columns in value]
    except (TypeError, ValueError) as error:
        raise _bad_sets(owner, n, value) from error
    used = {j for columns in sets for j in columns}
    if any(j < 0 or j >= n for j in used) or not all(sets):
        raise _bad_sets(owner, n, value)
    rest = tuple(j for j in range(n) if j not in used)
    return (*sets, rest) if rest else tuple(sets)


def _bad_sets(owner: object, n: int, value: Any) -> ValueError:
    need = f"None, 'pairwise', 'no_interactions' or sets of columns from 0 to {n - 1}"
    return check.fail(owner, "interaction_cst", need, value)
