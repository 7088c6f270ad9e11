"""Columns of a table: their names, and copies in which they are changed."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import check


def column_names(X: Any, n_features: int, given: Any = None) -> tuple[str, ...]:
    """Names that were given, else those of the frame, else ``x0``, ``x1`` …

    Examples
    --------
    >>> column_names([[1, 2]], 2)
    ('x0', 'x1')
    """
    names = given if given is not None and len(given) else getattr(X, "columns", ())
    if not len(names):
        return tuple(f"x{j}" for j in range(n_features))
    if len(names) != n_features:
        raise check.fail("column_names", "feature_names", f"{n_features} names", len(names))
    return tuple(map(str, names))


def column_number(names: tuple[str, ...], feature: int | str) -> int:
    """Place of a feature given by number or by name.

    Examples
    --------
    >>> column_number(("age", "city"), "city")
    1
    """
    if isinstance(feature, str):
        if feature not in names:
            raise check.fail("column_number", "feature", f"one of {', '.join(names)}", feature)
        return names.index(feature)
    if not -len(names) <= feature < len(names):
        raise check.fail("column_number", "feature", f"a column below {len(names)}", feature)
    return int(feature) % len(names)


def table_of(owner: str, X: Any) -> Any:
    """The frame as it is, anything else as an array of two dimensions.

    Examples
    --------
    >>> table_of("example", [[1, 2]])
    array([[1, 2]])
    """
    if hasattr(X, "columns"):
        return X
    table = X.toarray() if issparse(X) else np.asarray(X)
    if table.ndim != 2 or not table.size:
        raise check.fail(owner, "X", "a table of rows and columns", f"shape {table.shape}")
    return table


def editable(X: Any) -> Any:
    """A copy of a table whose columns :func:`set_column` may change.

    Whole numbers become floats, or the values of a grid between them would be cut.
    """
    if isinstance(X, np.ndarray):
        return X.astype(np.float64 if X.dtype.kind in "iub" else X.dtype, copy=True)
    return X.copy() if hasattr(X, "copy") else np.array(X, dtype=np.float64)


def set_column(table: Any, column: int, values: Any) -> None:
    """Change a column of a frame or an array."""
    if hasattr(table, "iloc"):
        table[table.columns[column]] = values
    else:
        table[:, column] = values
