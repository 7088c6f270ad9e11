"""Series beside their own past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import Sequences, check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class LaggedTable:
    """Rows that hold a moment and the moments before it.

    Parameters
    ----------
    names : tuple
        Names of the variables.
    values : ndarray of shape (n_rows, (depth + 1) * p)
        Column ``lag * p + i`` is variable i, ``lag`` steps before the row.
    depth : int
    n_gaps : int
        Rows left out because a value in them is not known.
    """

    names: tuple[Any, ...]
    values: Floats
    depth: int
    n_gaps: int

    @classmethod
    def of(cls, owner: str, X: Any, depth: int) -> LaggedTable:
        """Rows of one series, or of several that never touch.

        Examples
        --------
        >>> two = [np.array([[1.0], [2.0], [4.0], [5.0]]), np.array([[7.0], [6.0], [8.0]])]
        >>> LaggedTable.of("VARLiNGAM", two, 1).values.tolist()
        [[2.0, 1.0], [4.0, 2.0], [5.0, 4.0], [6.0, 7.0], [8.0, 6.0]]
        """
        several = isinstance(X, Sequences | list | tuple)
        parts = list(X) if several else [X]
        if several and parts and np.ndim(parts[0]) == 1:
            parts = [X]
        if not parts:
            raise check.fail(owner, "X", "at least one series", "none")
        arrays = [_numbers(owner, part) for part in parts]
        p = arrays[0].shape[1]
        if any(array.shape[1] != p for array in arrays):
            raise check.fail(owner, "X", f"series of {p} columns", [a.shape[1] for a in arrays])
        first = parts[0]
        names = tuple(first.columns) if hasattr(first, "columns") else tuple(range(p))
        rows = [_windows(array, depth) for array in arrays if len(array) > depth]
        stacked = np.concatenate([np.empty((0, p * (depth + 1))), *rows])
        known = np.isfinite(stacked).all(axis=1)
        values = np.ascontiguousarray(stacked[known])
        if len(values) <= values.shape[1] + 2:
            need = f"more than {values.shape[1] + 2} complete rows with {depth} before each"
            raise check.fail(owner, "X", need, len(values))
        now = values[:, :p]
        for name, column in zip(names, now.T, strict=True):
            if (column == column[0]).all():
                raise ValueError(f"{owner}: column {name!r} must be not constant, got one value")
        return cls(names, values, depth, int((~known).sum()))

    @property
    def standardised(self) -> Floats:
        """Every variable with mean zero and variance one; all its lags by the same numbers."""
        p = len(self.names)
        now = self.values[:, :p]
        mean, spread = now.mean(axis=0), now.std(axis=0)
        copies = self.depth + 1
        return np.asarray((self.values - np.tile(mean, copies)) / np.tile(spread, copies))


def _numbers(owner: str, part: Any) -> Floats:
    check.distinct_names(owner, part)
    try:
        array = np.asarray(part, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "X", "series of numbers", str(error)) from error
    if array.ndim != 2 or not array.shape[1]:
        raise check.fail(owner, "X", "two-dimensional series", array.shape)
    if np.isinf(array).any():
        raise check.fail(owner, "X", "finite, or NaN where unobserved", "infinity")
    return array


def _windows(array: Floats, depth: int) -> Floats:
    n = len(array)
    return np.hstack([array[depth - lag : n - lag] for lag in range(depth + 1)])


def lag_names(names: Sequence[Any], depth: int) -> tuple[tuple[Any, int], ...]:
    """Name and lag of every column.

    Examples
    --------
    >>> lag_names("xy", 1)
    (('x', 0), ('y', 0), ('x', 1), ('y', 1))
    """
    return tuple((name, lag) for lag in range(depth + 1) for name in names)
