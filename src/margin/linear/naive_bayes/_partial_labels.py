"""Targets in which some labels are missing."""

from typing import Any

import numpy as np

from margin.core.types import Array, Bools


def partial_labels(y: Any, unlabelled: Any = None) -> tuple[Any, Bools | None]:
    """Labels with a stand-in where there is none, and a mask of those that are there.

    None, NaN and ``unlabelled`` mean that there is no label. The mask is ``None`` when nothing is
    missing, or when ``y`` is not a vector and has still to be refused.

    Examples
    --------
    >>> partial_labels(["a", None, "b"])
    (array(['a', 'a', 'b'], dtype='<U1'), array([ True, False,  True]))
    >>> partial_labels([0, 1, -1], unlabelled=-1)[1]
    array([ True,  True, False])
    """
    given = np.asarray(y)
    if given.ndim != 1:
        return y, None
    known = np.ones(len(given), dtype=bool)
    if given.dtype.kind == "f":
        known = ~np.isnan(given)
    elif given.dtype.kind == "O":
        known = np.array([not _absent(value) for value in given], dtype=bool)
    if unlabelled is not None:
        known &= np.array([value != unlabelled for value in given.tolist()], dtype=bool)
    if known.all():
        return y, None
    labels = given[known].tolist()
    filled = np.zeros(len(given), dtype=np.int64) if not labels else _fill(labels, known)
    return filled, known


def _fill(labels: list[Any], known: Bools) -> Array:
    known_labels = np.array(labels)
    return known_labels[np.where(known, np.cumsum(known) - 1, 0)]


def _absent(value: Any) -> bool:
    """Whether a value stands for none: None, NaN and the pandas marks of missing values."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))
