"""Columns of categories as compact codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bools, Codes, Floats, Indices
from margin.native.structure import contingency

_MOST_STATES = 65_000


@dataclass(frozen=True, eq=False)
class Categories:
    """Categorical columns, one row of ``codes`` per column.

    Parameters
    ----------
    codes : ndarray of uint16, shape (n_columns, n_rows)
        Place of each value among the column's states; the number of states means unknown.
    names : tuple
        Names of the columns.
    states : tuple of tuples
        Distinct values of each column, sorted.
    weight : ndarray of shape (n_rows,), optional
        Weight of each row; ones by default.

    Examples
    --------
    >>> table = Categories.of("Example", [["yes", "b"], ["no", "a"], ["no", None]])
    >>> table.states, table.codes.tolist()
    ((('no', 'yes'), ('a', 'b')), [[1, 0, 0], [1, 0, 2]])
    >>> table.counts([0, 1])
    array([[1., 0.],
           [0., 1.]])
    """

    codes: Codes
    names: tuple[Any, ...]
    states: tuple[tuple[Any, ...], ...]
    weight: Floats | None = None

    @classmethod
    def of(
        cls,
        owner: str,
        frame: Any,
        *,
        states: Mapping[Any, Sequence[Any]] | None = None,
        sample_weight: Any = None,
    ) -> Categories:
        """Codes of a pandas or polars frame, or of a two-dimensional array of values.

        ``None``, NaN and missing entries of frames are unknown values. ``states`` fixes the states
        of some columns, and their order; a value outside them is refused.
        """
        names, columns = frame_columns(owner, frame)
        given = dict(states or {})
        strangers = set(given) - set(names)
        if strangers:
            raise check.fail(
                owner, "states", "about columns of the frame", sorted(map(str, strangers))
            )
        rows = len(columns[0])
        codes = np.empty((len(columns), rows), dtype=np.uint16)
        every_level: list[tuple[Any, ...]] = []
        for at, (name, column) in enumerate(zip(names, columns, strict=True)):
            levels, code = column_levels(column)
            if name in given:
                code = _in_order(owner, name, levels, code, tuple(given[name]))
                levels = tuple(given[name])
            if not levels:
                raise check.fail(owner, f"column {name!r}", "observed somewhere", "no value")
            if len(levels) > _MOST_STATES:
                requirement = f"a column of at most {_MOST_STATES} states"
                raise check.fail(owner, f"column {name!r}", requirement, len(levels))
            codes[at] = np.where(code < 0, len(levels), code)
            every_level.append(levels)
        return cls(codes, names, tuple(every_level), check.weights(owner, sample_weight, rows))

    @property
    def cards(self) -> Indices:
        """Number of states of each column."""
        return np.array([len(s) for s in self.states], dtype=np.int64)

    @property
    def n_rows(self) -> int:
        """Rows stored; after compression each may stand for many."""
        return int(self.codes.shape[1])

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return float(self.n_rows) if self.weight is None else float(self.weight.sum())

    @property
    def incomplete(self) -> Bools:
        """Which columns have unknown values."""
        has: Bools = (self.codes == self.cards[:, None]).any(axis=1)
        return has

    def counts(self, columns: Sequence[int]) -> Floats:
        """Weight of every combination of states of these columns, where all of them are known."""
        return contingency.contingency_counts(self.codes, self.cards, self.weight, columns)

    def evidence(self) -> Indices:
        """Rows of state numbers, -1 where unknown, of shape (n_rows, n_columns)."""
        table = self.codes.T.astype(np.int64)
        return np.where(table == self.cards, -1, table)

    def compressed(self) -> Categories:
        """Equal rows merged into one with their total weight, if that at least halves the rows."""
        if self.n_rows < 2:
            return self
        mixer = np.random.default_rng(0).integers(1, 2**63, size=len(self.codes), dtype=np.uint64)
        key = np.zeros(self.n_rows, dtype=np.uint64)
        for code, factor in zip(self.codes, mixer, strict=True):
            key += (code.astype(np.uint64) + np.uint64(1)) * (factor | np.uint64(1))
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        if 2 * len(first) > self.n_rows:
            return self
        # Two rows with one key are equal, except once in 2^64: then nothing is merged.
        if not (self.codes == self.codes[:, first[group]]).all():
            return self
        weight = np.bincount(group, self.weight, len(first)).astype(np.float64)
        return replace(self, codes=np.ascontiguousarray(self.codes[:, first]), weight=weight)


def frame_columns(owner: str, frame: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """Names and columns of a frame or of a two-dimensional array."""
    if hasattr(frame, "columns") and hasattr(frame, "dtypes"):
        names = tuple(frame.columns)
        columns = [frame[name] for name in names]
    else:
        array = np.asarray(frame)
        if array.dtype.kind in "US" and not isinstance(frame, np.ndarray):
            array = np.asarray(frame, dtype=object)
        if array.ndim != 2:
            raise check.fail(owner, "X", "a frame or a two-dimensional array", array.shape)
        names = tuple(range(array.shape[1]))
        columns = list(array.T)
    if len(set(names)) < len(names):
        raise check.fail(owner, "X", "a frame with different column names", list(names))
    if not names or not len(columns[0]):
        shape = (len(columns[0]) if columns else 0, len(names))
        raise check.fail(owner, "X", "of at least one row and one column", f"shape {shape}")
    return names, columns


def column_levels(column: Any) -> tuple[tuple[Any, ...], Indices]:
    """Sorted distinct values, and the place of each entry among them, -1 where unknown."""
    if hasattr(column, "factorize"):
        code, distinct = column.factorize(sort=False)
        levels = list(distinct.tolist())
    else:
        values = column if isinstance(column, np.ndarray) else np.array(column.to_list(), object)
        if values.dtype.kind in "biuUS":
            sorted_levels, code = np.unique(values, return_inverse=True)
            return tuple(sorted_levels.tolist()), code.ravel().astype(np.int64)
        place: dict[Any, int] = {}
        code = np.fromiter(
            (
                place.setdefault(v, len(place)) if v is not None and v == v else -1
                for v in values.tolist()
            ),
            dtype=np.int64,
            count=len(values),
        )
        levels = list(place)
    order = _sorted(levels)
    rank = np.empty(len(levels) + 1, dtype=np.int64)
    rank[order] = np.arange(len(levels))
    rank[-1] = -1
    return tuple(levels[i] for i in order), rank[code]


def _sorted(levels: list[Any]) -> list[int]:
    try:
        return sorted(range(len(levels)), key=levels.__getitem__)
    except TypeError:
        return sorted(range(len(levels)), key=lambda i: str(levels[i]))


def _in_order(
    owner: str,
    name: Any,
    levels: tuple[Any, ...],
    code: Indices,
    order: tuple[Any, ...],
) -> Indices:
    place = {level: at for at, level in enumerate(order)}
    unknown = [level for level in levels if level not in place]
    if unknown:
        raise check.fail(owner, f"column {name!r}", f"in {list(order)}", unknown[0])
    rank = np.array([*(place[level] for level in levels), -1], dtype=np.int64)
    return rank[code]
