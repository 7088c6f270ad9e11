"""Rows by what was observed of them, in memory or block by block."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from margin.core import Blocks, check, missing
from margin.core.types import Array, Floats, Places
from margin.distributions import ColumnMoments


class RowGroup(NamedTuple):
    """Rows with the same observed columns, and only these columns of them.

    Parameters
    ----------
    X : ndarray of shape (n, len(columns))
    columns : ndarray of int
    weight : ndarray of shape (n,) or None
    """

    X: Array
    columns: Places
    weight: Floats | None

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return float(len(self.X) if self.weight is None else self.weight.sum())


def row_groups(X: Array, weight: Floats | None, *, split: bool) -> tuple[RowGroup, ...]:
    """Rows grouped by their gaps, or all of them as they are.

    Examples
    --------
    >>> import numpy as np
    >>> groups = row_groups(np.array([[1.0, np.nan], [2.0, 3.0]]), None, split=True)
    >>> [(g.X.tolist(), g.columns.tolist()) for g in groups]
    [([[1.0]], [0]), ([[2.0, 3.0]], [0, 1])]
    """
    every = np.arange(X.shape[1])
    if not split or not np.isnan(X).any():
        return (RowGroup(X, every, weight),)
    return tuple(
        RowGroup(
            X[np.ix_(g.rows, g.columns)], g.columns, None if weight is None else weight[g.rows]
        )
        for g in missing.patterns(X)
    )


@dataclass(frozen=True, eq=False)
class Table:
    """A table in memory, grouped once."""

    X: Array
    weight: Floats | None
    split: bool
    groups: tuple[RowGroup, ...]

    @classmethod
    def of(cls, X: Array, weight: Floats | None, *, split: bool) -> "Table":
        """The table; ``split`` where the model needs rows of one pattern together."""
        return cls(X, weight, split, row_groups(X, weight, split=split))

    def passes(self) -> Iterator[RowGroup]:
        """All groups, for one pass."""
        yield from self.groups

    def blocks(self) -> Iterator[tuple[Array, Floats | None]]:
        """All rows as they came."""
        yield self.X, self.weight


@dataclass(frozen=True, eq=False)
class Stream:
    """Blocks of rows that are read anew in every pass: nothing is kept.

    Parameters
    ----------
    owner : object
        Whom errors name.
    source : Blocks
        Arrays, or pairs of an array and weights.
    checked : callable
        From a block to an array of numbers.
    split : bool
        As of :class:`Table`.
    """

    owner: object
    source: Blocks
    checked: Callable[[Any, Any], tuple[Array, Floats | None]]
    split: bool

    def blocks(self) -> Iterator[tuple[Array, Floats | None]]:
        """Every block with its weights."""
        for block in self.source:
            if len(block) > 2:
                need = "of rows, or of rows and weights"
                raise check.fail(self.owner, "blocks", need, f"a block of {len(block)} parts")
            yield self.checked(*block, *[None] * (2 - len(block)))

    def passes(self) -> Iterator[RowGroup]:
        """All groups of all blocks, for one pass."""
        for X, weight in self.blocks():
            yield from row_groups(X, weight, split=self.split)


def sample_rows(owner: object, rows: Table | Stream, most: int) -> tuple[Array, Floats | None]:
    """Rows to start from: all, or ``most`` of them evenly spaced, the same in memory or not."""
    n = 0
    for X, _ in rows.blocks():
        n += len(X)
    if n == 0:
        raise check.fail(owner, "blocks", "at least one row, the same in every pass", "none")
    if isinstance(rows, Table) and n <= most:
        return rows.X, rows.weight
    wanted = np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.intp)
    parts, weights, start = [], [], 0
    for X, weight in rows.blocks():
        here = wanted[(wanted >= start) & (wanted < start + len(X))] - start
        parts.append(X[here])
        weights.append(np.ones(len(here)) if weight is None else weight[here])
        start += len(X)
    weight = np.concatenate(weights)
    return np.concatenate(parts), None if (weight == 1).all() else weight


def column_moments(owner: object, rows: Table | Stream) -> ColumnMoments:
    """Moments of the observed values of every column, each of which has some."""
    moments: Any = sum(_moments_of(X, weight) for X, weight in rows.blocks())
    if not isinstance(moments, ColumnMoments):
        raise check.fail(owner, "blocks", "at least one row, the same in every pass", "none")
    if not (moments.weight > 0).all():
        column = int(np.flatnonzero(moments.weight == 0)[0])
        raise check.fail(owner, "X", "observed somewhere in every column", f"none in {column}")
    return moments


def column_variances(owner: object, rows: Table | Stream) -> Floats:
    """Variances of the observed values of every column."""
    moments = column_moments(owner, rows)
    return np.asarray(moments.scatter / moments.weight)


def _moments_of(X: Array, weight: Floats | None) -> ColumnMoments:
    """Moments of columns; of complete rows without a mask."""
    if weight is not None or np.isnan(X).any():
        return ColumnMoments.of(X, weight)
    rows = np.asarray(X, dtype=np.float64)
    mean = rows.mean(axis=0)
    away = rows - mean
    scatter = np.einsum("ij,ij->j", away, away)
    return ColumnMoments(np.full(rows.shape[1], float(len(rows))), mean, scatter)
