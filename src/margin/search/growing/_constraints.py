"""What splits must obey: directions of columns, and which columns may meet on a path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Bytes
from margin.search.growing._exact import ClassTargets, NumberTargets

Directions = tuple[int, ...]
Sets = tuple[tuple[int, ...], ...]


def directions_of(
    owner: object, value: Any, n: int, *, names: Any = None, categorical: Bools | None = None
) -> Directions:
    """1, -1 or 0 per column, from a sequence or a mapping of names; empty if all are free.

    Categories have no order: a direction of one of their columns is refused.

    Examples
    --------
    >>> directions_of("Model", {"b": -1}, 2, names=["a", "b"])
    (0, -1)
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        known = _known(owner, "monotonic_cst", names, value)
        given = {str(name): direction for name, direction in value.items()}
        absent = [name for name in given if name not in known]
        if absent:
            raise check.fail(owner, "monotonic_cst", "a mapping of names of columns", absent[0])
        asked = np.array([given.get(name, 0) for name in known])
    else:
        asked = np.asarray(value)
    if asked.shape != (n,):
        size = asked.shape[0] if asked.ndim else 1
        need = (
            f"a mapping or {n} numbers, one per column: monotonic_cst has shape {size} but the "
            f"input data X has {n} features."
        )
        raise check.fail(owner, "monotonic_cst", need, value)
    if not np.isin(asked, (-1, 0, 1)).all():
        raise ValueError(
            f"{check.named(owner)}: monotonic_cst must be None or an array-like of -1, 0 or 1, but "
            f"got {np.unique(asked)}"
        )
    if categorical is not None and asked[categorical].any():
        raise check.fail(owner, "monotonic_cst", "0 for categorical columns", value)
    directions = tuple(int(d) for d in asked)
    return directions if any(directions) else ()


def refuse_directions(owner: object, value: Any, targets: ClassTargets | NumberTargets) -> None:
    """Only one number, or one of two classes, rises or falls."""
    if value is None:
        return
    name = check.named(owner)
    if len(targets.n_classes if isinstance(targets, ClassTargets) else targets.numbers) > 1:
        raise ValueError(
            f"{name}: Monotonicity constraints are not supported with multiple outputs."
        )
    if isinstance(targets, ClassTargets) and targets.n_classes[0] > 2:
        raise ValueError(
            f"{name}: Monotonicity constraints are not supported with multiclass classification"
        )


def interaction_sets(owner: object, value: Any, n: int, *, names: Any = None) -> Sets:
    """Sets of columns that may stand on one path; columns in none of them form one more.

    Columns are numbers or names; no value is no limit.

    Examples
    --------
    >>> interaction_sets("Model", [{0, 1}], 3)
    ((0, 1), (2,))
    >>> interaction_sets("Model", [["c", "a"]], 3, names=["a", "b", "c"])
    ((0, 2), (1,))
    """
    if value is None:
        return ()
    if isinstance(value, str):
        if value == "no_interactions":
            return tuple((j,) for j in range(n))
        if value == "pairwise":
            return tuple(combinations(range(n), 2)) if n > 1 else ()
        raise _bad_sets(owner, n, value)
    if not isinstance(value, Iterable):
        raise _bad_sets(owner, n, value)
    sets = [_columns(owner, own, n, names, value) for own in value]
    used = {j for columns in sets for j in columns}
    rest = tuple(j for j in range(n) if j not in used)
    return (*sets, rest) if rest else tuple(sets)


def _columns(owner: object, own: Any, n: int, names: Any, value: Any) -> tuple[int, ...]:
    if isinstance(own, str) or not isinstance(own, Iterable):
        raise _bad_sets(owner, n, value)
    members = list(own)
    if members and all(isinstance(name, str) for name in members):
        known = _known(owner, "interaction_cst", names, value)
        absent = [name for name in members if name not in known]
        if absent:
            raise check.fail(owner, "interaction_cst", "sets of names of columns", absent[0])
        members = [known.index(name) for name in members]
    numbers = np.asarray(members)
    if numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= n:
        raise _bad_sets(owner, n, value)
    return tuple(sorted({int(j) for j in numbers}))


def flags_of(sets: Sets, n: int) -> Bytes | None:
    """One row of flags per set; None where there are no sets.

    Examples
    --------
    >>> flags_of(((0, 1), (2,)), 3)
    array([[1, 1, 0],
           [0, 0, 1]], dtype=uint8)
    """
    if not sets:
        return None
    return np.array([np.isin(np.arange(n), columns) for columns in sets], dtype=np.uint8)


def _known(owner: object, parameter: str, names: Any, value: Any) -> list[str]:
    if names is None:
        raise check.fail(owner, parameter, "numbers of columns where X has no names", value)
    return [str(name) for name in names]


def _bad_sets(owner: object, n: int, value: Any) -> ValueError:
    need = f"None, 'pairwise', 'no_interactions' or sets of columns from 0 to {n - 1}"
    return check.fail(owner, "interaction_cst", need, value)
