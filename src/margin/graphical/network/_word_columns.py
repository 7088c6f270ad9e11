"""Columns of words in a table: their levels, and the codes that stand for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.graphical._domain import is_missing


@dataclass(frozen=True)
class WordColumns:
    """Distinct values of the columns that hold words or categories.

    Parameters
    ----------
    places : tuple of int
        Which columns.
    levels : tuple of tuple
        Values of each, sorted; their places are the codes.

    Examples
    --------
    >>> rows = np.array([["red", 1.5], ["blue", 2.5], [None, 1.0]], dtype=object)
    >>> words = WordColumns.learned(rows)
    >>> words.levels, words.encode(rows).tolist()
    ((('blue', 'red'),), [[1.0, 1.5], [0.0, 2.5], [nan, 1.0]])
    """

    places: tuple[int, ...] = ()
    levels: tuple[tuple[Any, ...], ...] = ()

    @classmethod
    def learned(cls, X: Any) -> WordColumns:
        """Levels of a frame, or of a two-dimensional array of objects; none of numbers."""
        levels = {at: _levels(column) for at, column in enumerate(_columns(X)) if _words(column)}
        return cls(tuple(levels), tuple(levels.values()))

    def among(self, X: Floats) -> tuple[WordColumns, Floats]:
        """The levels that occur in a coded table, and the table in their codes."""
        if not self.places:
            return self, X
        recoded, kept = X.copy(), []
        for at, levels in zip(self.places, self.levels, strict=True):
            known = ~np.isnan(X[:, at])
            seen, codes = np.unique(X[known, at], return_inverse=True)
            recoded[known, at] = codes.ravel()
            kept.append(tuple(levels[int(code)] for code in seen))
        return WordColumns(self.places, tuple(kept)), recoded

    def encode(self, X: Any) -> Any:
        """The table with codes in place of words; NaN for unknown words and where there is none."""
        columns = _columns(X) if self.places else []
        if not columns or max(self.places) >= len(columns):
            return X
        coded: list[Array] = [np.asarray(column) for column in columns]
        for at, levels in zip(self.places, self.levels, strict=True):
            coded[at] = _codes(columns[at], levels)
        if hasattr(X, "columns"):
            return type(X)(dict(zip(X.columns, coded, strict=True)))
        return np.column_stack([np.asarray(column, dtype=object) for column in coded])


def _columns(X: Any) -> list[Any]:
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        names = list(X.columns)
        return [X[name] for name in names] if len(set(names)) == len(names) else []
    if hasattr(X, "dtype"):
        array = X if isinstance(X, np.ndarray) else np.empty(0)
    else:
        array = np.asarray(X, dtype=object) if isinstance(X, list | tuple) else np.empty(0)
    return list(array.T) if array.ndim == 2 and array.dtype.kind in "OUS" else []


def _words(column: Any) -> bool:
    if str(column.dtype).lower().startswith(("category", "categorical", "enum")):
        return True
    values = np.asarray(column)
    if values.dtype.kind not in "OUS":
        return False
    # A word among numbers is a mistake: the column is left to the checks, which refuse it.
    known = [v for v in values.tolist() if not is_missing(v)]
    return bool(known) and all(isinstance(v, str) for v in known)


def _levels(column: Any) -> tuple[Any, ...]:
    values = np.asarray(column).tolist()
    return tuple(sorted({v for v in values if not is_missing(v)}, key=str))


def _codes(column: Any, levels: tuple[Any, ...]) -> Floats:
    code = {level: float(at) for at, level in enumerate(levels)}
    return np.array([code.get(v, np.nan) for v in np.asarray(column).tolist()], dtype=np.float64)
