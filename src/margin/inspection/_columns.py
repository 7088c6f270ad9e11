"""Columns of a table: their names, and copies in which they are changed."""

from typing import Any

import numpy as np

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


def editable(X: Any) -> Any:
    """A copy of a table whose columns :func:`set_column` may change."""
    return X.copy() if hasattr(X, "copy") else np.array(X, dtype=np.float64)


def set_column(table: Any, column: int, values: Any) -> None:
    """Change a column of a frame or an array."""
    if hasattr(table, "iloc"):
        table[table.columns[column]] = values
    else:
        table[:, column] = values
