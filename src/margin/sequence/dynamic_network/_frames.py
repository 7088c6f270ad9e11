"""Sequences of frames as codes of named variables; what is missing is unobserved."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import Sequences, check
from margin.core.types import Bools, Indices
from margin.sequence._one_sequence import refuse_sparse


@dataclass(frozen=True)
class Frames:
    """Columns of all sequences one after the other.

    Parameters
    ----------
    columns : dict of name to ndarray of shape (T,)
    offsets : ndarray of shape (n + 1,)
    one : bool
        Whether one sequence was given, and not a list.
    """

    columns: dict[Hashable, NDArray[Any]]
    offsets: Indices
    one: bool

    @property
    def n(self) -> int:
        """Number of sequences."""
        return len(self.offsets) - 1


def frames(owner: object, X: Any, lengths: Any = None, name: str = "X") -> Frames:
    """Checked sequences: frames, mappings of columns, or arrays whose columns are 0, 1, ….

    Examples
    --------
    >>> given = frames("Network", [{"rain": [1, 0]}, {"rain": [None]}])
    >>> given.offsets, missing(given.columns["rain"])
    (array([0, 2, 3]), array([False, False,  True]))
    """
    refuse_sparse(owner, X, name)
    one = _is_frame(X) or (isinstance(X, np.ndarray) and X.dtype != object and X.ndim < 3)
    if not one and not isinstance(X, Sequences) and isinstance(X, list | tuple | np.ndarray):
        one = len(X) > 0 and all(np.ndim(x) == 0 and not _is_frame(x) for x in X)
    if lengths is not None and not one:
        raise check.fail(owner, name, "one frame where lengths divide it", type(X).__name__)
    if not one and not hasattr(X, "__len__"):
        raise check.fail(owner, name, "a list of frames or arrays", type(X).__name__)
    parts = [_columns(owner, x, name) for x in ([X] if one else X)]
    if not parts:
        raise check.fail(owner, name, "at least one sequence", "none")
    for i, part in enumerate(parts):
        if part.keys() != parts[0].keys():
            wanted = f"of columns {list(parts[0])} in every sequence"
            raise check.fail(owner, name, wanted, f"{list(part)} in sequence {i}")
    sizes = [len(next(iter(part.values()), ())) for part in parts]
    if lengths is not None:
        sizes = [int(size) for size in np.asarray(lengths).ravel()]
        rows = len(next(iter(parts[0].values()), ()))
        if sum(sizes) != rows or min(sizes, default=0) < 0:
            raise ValueError(f"{check.named(owner)}: lengths must sum to {rows}, got {sum(sizes)}")
        one = False
    if not sum(sizes):
        raise check.fail(owner, name, "sequences of at least one step in all", "none")
    columns = {key: _joined([part[key] for part in parts]) for key in parts[0]}
    return Frames(columns, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), one)


def missing(column: NDArray[Any]) -> Bools:
    """Where a column is None, NaN or a missing value of pandas."""
    if column.dtype.kind == "f":
        return np.asarray(np.isnan(column))
    if column.dtype != object:
        return np.zeros(len(column), dtype=bool)
    return np.array([_is_missing(value) for value in column], dtype=bool)


def labels(owner: object, name: Hashable, column: NDArray[Any]) -> list[Any]:
    """Distinct observed values of a column, in order."""
    seen = column[~missing(column)]
    if seen.dtype.kind == "f" and np.isinf(seen).any():
        raise check.fail(owner, "X", "finite, or NaN where unobserved", f"infinity in {name!r}")
    values = {plain(value) for value in seen.tolist()}
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, str(value)))


def coded(
    owner: object, given: Frames, names: Sequence[Hashable], states: Mapping[Hashable, Any]
) -> Indices:
    """Codes of shape (T, variables), -1 where unobserved; columns not given are unobserved."""
    unknown = [key for key in given.columns if key not in names]
    if unknown:
        raise check.fail(owner, "X", f"of columns {list(names)}", f"column {unknown[0]!r}")
    codes = np.full((int(given.offsets[-1]), len(names)), -1, dtype=np.int64)
    for v, name in enumerate(names):
        if name not in given.columns:
            continue
        column = given.columns[name]
        place = {plain(value): i for i, value in enumerate(states[name])}
        for t in np.flatnonzero(~missing(column)):
            code = place.get(plain(column[t]))
            if code is None:
                wanted = f"one of the states {list(states[name])} of {name!r}"
                raise check.fail(owner, "X", wanted, column[t])
            codes[t, v] = code
    return codes


def plain(value: Any) -> Any:
    """One value for 1, 1.0 and True."""
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_frame(X: Any) -> bool:
    return isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "__getitem__"))


def _columns(owner: object, x: Any, name: str) -> dict[Hashable, NDArray[Any]]:
    if _is_frame(x):
        keys = list(x) if isinstance(x, Mapping) else list(x.columns)
        columns = {key: np.asarray(x[key]) for key in keys}
        if len({len(column) for column in columns.values()}) > 1:
            raise check.fail(owner, name, "of columns of equal length", keys)
        return columns
    try:
        table = np.asarray(x)
    except ValueError:
        table = np.asarray(x, dtype=object)
    if table.ndim == 1 and (table.dtype != object or all(np.ndim(v) == 0 for v in table)):
        table = table[:, None]
    if table.ndim != 2 or not table.shape[1]:
        raise check.fail(owner, name, "sequences of rows of equal width", f"shape {table.shape}")
    return {j: table[:, j] for j in range(table.shape[1])}


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    kinds = {part.dtype.kind for part in parts if len(part)}
    if len(kinds - set("fiub")) and len(kinds) > 1:
        parts = [part.astype(object) for part in parts]
    return np.concatenate([part for part in parts if len(part)] or parts)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))
