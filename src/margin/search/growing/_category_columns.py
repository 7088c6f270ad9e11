"""Columns that hold categories: which, and the number of each category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core import check
from margin.core.types import Bools, Floats


@dataclass(frozen=True)
class CategoryColumns:
    """Categories of the columns of a table, numbered in rising order.

    Parameters
    ----------
    categories : tuple
        Per column its categories, sorted, or None for a column of numbers.

    Examples
    --------
    >>> columns = CategoryColumns.of("Model", [["b", 1.0], ["a", 2.0]], [0])
    >>> columns.encode([["a", 5.0], ["c", 6.0]])
    array([[ 0.,  5.],
           [nan,  6.]])
    """

    categories: tuple[NDArray[Any] | None, ...]

    @classmethod
    def of(cls, owner: object, X: Any, chosen: Any) -> CategoryColumns | None:
        """Categories of the chosen columns of a table; None where there are none.

        ``chosen`` is None, ``"from_dtype"`` (columns of a frame whose type is categorical), a mask,
        or numbers or names of columns.
        """
        if chosen is None or (_is_word(chosen) and not hasattr(X, "columns")):
            if _is_word(chosen) and chosen != "from_dtype":
                raise _refusal(owner, chosen)
            return None
        if issparse(X):
            raise check.fail(owner, "X", "dense where columns hold categories", type(X).__name__)
        columns = _columns(X)
        numbers = _chosen_numbers(owner, X, chosen, len(columns))
        if not numbers:
            return None
        known = [_distinct(columns[j]) if j in numbers else None for j in range(len(columns))]
        return cls(tuple(known))

    @property
    def mask(self) -> Bools:
        """Which columns hold categories."""
        return np.array([own is not None for own in self.categories])

    def labels(self, column: int, codes: Any) -> list[str]:
        """Names of some categories of a column, whole numbers without a fraction."""
        own = self.categories[column]
        known = [] if own is None else [own[code] for code in codes if code < len(own)]
        return [f"{value:g}" if isinstance(value, float) else str(value) for value in known]

    def encode(self, X: Any) -> Any:
        """The table with numbers in the place of categories, NaN for unknown ones.

        A frame stays a frame, so that the names of its columns can be checked.
        """
        columns = _columns(X)
        if len(columns) != len(self.categories):
            return X  # refused by the check of the number of columns
        coded = [
            _numbers(column) if own is None else _codes(column, own)
            for column, own in zip(columns, self.categories, strict=True)
        ]
        if hasattr(X, "columns"):
            import pandas as pd

            return pd.DataFrame(dict(enumerate(coded))).set_axis(list(X.columns), axis=1)
        return np.column_stack(coded)


def _is_word(chosen: Any) -> bool:
    return isinstance(chosen, str)


def _refusal(owner: object, chosen: Any) -> ValueError:
    need = "None, 'from_dtype', or a mask, numbers or names of columns"
    return check.fail(owner, "categorical_features", need, chosen)


def _columns(X: Any) -> list[Any]:
    """The columns of a frame or of an array, as arrays."""
    if hasattr(X, "columns"):
        frame = X.to_pandas() if hasattr(X, "to_pandas") else X
        return [frame.iloc[:, j] for j in range(frame.shape[1])]
    table = np.asarray(X, dtype=None if isinstance(X, np.ndarray) else object)
    if table.ndim != 2:
        raise ValueError(f"X must have two axes, got {table.ndim}")
    return list(table.T)


def _chosen_numbers(owner: object, X: Any, chosen: Any, n: int) -> set[int]:
    if _is_word(chosen):
        if chosen != "from_dtype":
            raise _refusal(owner, chosen)
        frame = X.to_pandas() if hasattr(X, "to_pandas") else X
        return {j for j, dtype in enumerate(frame.dtypes) if str(dtype) == "category"}
    given = np.asarray(chosen)
    if given.ndim != 1:
        raise _refusal(owner, chosen)
    if given.dtype == bool:
        if len(given) != n:
            raise check.fail(owner, "categorical_features", f"a mask of {n} columns", len(given))
        return set(np.flatnonzero(given).tolist())
    if given.dtype.kind in "iu":
        if given.size and (given.min() < 0 or given.max() >= n):
            need = f"numbers of columns from 0 to {n - 1}"
            raise check.fail(owner, "categorical_features", need, chosen)
        return set(given.tolist())
    if not hasattr(X, "columns"):
        raise check.fail(owner, "categorical_features", "numbers where X has no names", chosen)
    names = [str(name) for name in X.columns]
    absent = [name for name in given.tolist() if str(name) not in names]
    if absent:
        raise check.fail(owner, "categorical_features", "names of columns of X", absent[0])
    return {names.index(str(name)) for name in given.tolist()}


def _known(column: Any) -> tuple[NDArray[Any], Bools]:
    """The values of a column as objects or numbers, and which of them are there."""
    values = np.asarray(column)
    if values.dtype.kind == "O":
        there = np.array([v is not None and v == v for v in values], dtype=np.bool_)
    elif values.dtype.kind == "f":
        there = ~np.isnan(values)
    else:
        there = np.ones(len(values), dtype=np.bool_)
    return values, there


def _distinct(column: Any) -> NDArray[Any]:
    """Categories of a column, in rising order; of several types as texts."""
    values, there = _known(column)
    kept = values[there]
    if kept.dtype.kind != "O":
        return np.unique(kept)
    try:
        return np.unique(kept)
    except TypeError:  # no order: numbers and texts side by side
        return np.unique(np.array([_text(v) for v in set(kept.tolist())], dtype=object))


def _text(value: Any) -> str:
    """A category as text, a whole number without a fraction."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _codes(column: Any, categories: NDArray[Any]) -> Floats:
    """Number of the category of every row: equal values first, then equal texts.

    A category is the same whatever else stands in its column: the texts of categories of several
    types were learnt, and a value of another type than those learnt means what its text says.
    """
    values, there = _known(column)
    codes = np.full(len(values), np.nan)
    if not len(categories):
        return codes
    known = categories.tolist()
    number = {value: float(k) for k, value in enumerate(known)}
    texts = {_text(value): float(k) for k, value in enumerate(known)}
    if values.dtype.kind == "O":
        own = values[there].tolist()
        code = {value: number.get(value, texts.get(_text(value), np.nan)) for value in set(own)}
        codes[there] = [code[value] for value in own]
        return codes
    distinct, inverse = np.unique(values[there], return_inverse=True)
    listed = distinct.tolist()
    of_distinct = np.array([number.get(v, texts.get(_text(v), np.nan)) for v in listed])
    if len(distinct):
        codes[there] = of_distinct[inverse]
    return codes


def _numbers(column: Any) -> Floats:
    return np.asarray(column, dtype=np.float64)
