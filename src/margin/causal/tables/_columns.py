"""Columns of a frame by name, as numbers or as levels."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import qr

from margin.core import check
from margin.core.types import Array, Bools, Floats, Indices

Name = Hashable


def column(owner: object, frame: Any, name: Name) -> Array:
    """One column of a frame, a mapping or an array, refused where it is missing.

    Examples
    --------
    >>> column("AverageEffect", {"x": [1, 2]}, "y")
    Traceback (most recent call last):
    ValueError: AverageEffect: frame must be with a column 'y', got columns ['x']
    """
    if isinstance(frame, np.ndarray) and frame.ndim == 2 and frame.dtype.names is None:
        if isinstance(name, int | np.integer) and 0 <= name < frame.shape[1]:
            return frame[:, int(name)]
        raise check.fail(owner, "frame", f"with a column {name!r}", f"shape {frame.shape}")
    try:
        values = np.asarray(frame[name])
    except (KeyError, TypeError, IndexError, ValueError, AttributeError):
        values = np.empty((0, 0))
    except Exception as error:  # polars has an error of its own for a missing column
        if "NotFound" not in type(error).__name__:
            raise
        values = np.empty((0, 0))
    if values.ndim != 1:
        known = list(frame.columns) if hasattr(frame, "columns") else None
        known = list(frame) if known is None and isinstance(frame, Mapping) else known
        shown = type(frame).__name__ if known is None else f"columns {known}"
        raise ValueError(f"{check.named(owner)}: frame must be with a column {name!r}, got {shown}")
    return values


def numbers(owner: object, frame: Any, name: Name) -> Floats:
    """A column of finite numbers.

    Examples
    --------
    >>> numbers("AverageEffect", {"x": [True, False]}, "x")
    array([1., 0.])
    """
    values = column(owner, frame, name)
    if values.dtype.kind == "O":
        gone = is_unknown(values)
        if gone.any() and not gone.all() and not is_words(values[~gone]):
            values = np.where(gone, np.nan, values)
    try:
        floats = values.astype(np.float64)
    except (TypeError, ValueError):
        raise check.fail(owner, f"column {name!r}", "numbers", values[:1].tolist()) from None
    known = np.isfinite(floats)
    if not known.all():
        where = np.flatnonzero(~known)[:5].tolist()
        raise check.fail(owner, f"column {name!r}", "finite everywhere", f"rows {where}")
    return floats


def is_words(values: Array) -> bool:
    """Whether a column holds words, categories or truth values rather than numbers.

    What is not known is neither.
    """
    if values.dtype.kind in "biuf":
        return values.dtype.kind == "b"
    if values.dtype.kind in "cmM":
        return False
    known = values[~is_unknown(values)].tolist()
    numeric = (int, float, np.number)
    return not all(isinstance(v, numeric) and not isinstance(v, bool) for v in known)


def is_unknown(values: Array) -> Bools:
    """Where a column holds NaN, None or what pandas writes for them.

    Examples
    --------
    >>> is_unknown(np.array(["a", None, float("nan")], dtype=object))
    array([False,  True,  True])
    """
    if values.dtype.kind in "fc":
        return np.asarray(np.isnan(values))
    if values.dtype.kind in "mM":
        return np.asarray(np.isnat(values))
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    # What differs from itself, or cannot say whether it does, is unknown.
    return np.array([v is None or not _same(v) for v in values.tolist()])


def _same(value: Any) -> bool:
    try:
        return bool(value == value)
    except (TypeError, ValueError):
        return False


def levels(owner: object, frame: Any, name: Name) -> tuple[tuple[Any, ...], Indices]:
    """Sorted distinct values of a column, and the code of every row; unknown ones are refused.

    Examples
    --------
    >>> levels("AverageEffect", {"x": ["b", "a", "b"]}, "x")
    (('a', 'b'), array([1, 0, 1]))
    """
    values = column(owner, frame, name)
    unknown = is_unknown(values)
    if unknown.any():
        where = np.flatnonzero(unknown)[:5].tolist()
        raise check.fail(owner, f"column {name!r}", "known everywhere", f"rows {where}")
    try:
        distinct, codes = np.unique(values, return_inverse=True)
    except TypeError:  # words and numbers have no common order: numbers first
        held = values.tolist()
        order = sorted(set(held), key=lambda v: (isinstance(v, str), type(v).__name__, str(v)))
        place = {value: i for i, value in enumerate(order)}
        return tuple(order), np.array([place[v] for v in held], dtype=np.int64)
    return tuple(distinct.tolist()), codes.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Design:
    """Covariates as numbers: words became dummies, what the others determine was left out.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Columns of mean 0 and deviation 1, none a combination of the others.
    columns : tuple of str
        Their names.
    left_out : tuple of str
        Columns that are constant or a combination of others.
    centre, scale : ndarray of shape (p,)
        What was taken off and divided by.
    """

    X: Floats
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    centre: Floats
    scale: Floats


def expanded(owner: object, frame: Any, names: Iterable[Name], n: int) -> tuple[Floats, list[str]]:
    """Columns of numbers as they are, of words as dummies of all levels but the first."""
    parts: list[Floats] = []
    called: list[str] = []
    for name in names:
        if not is_words(column(owner, frame, name)):
            parts.append(numbers(owner, frame, name)[:, None])
            called.append(str(name))
            continue
        held, codes = levels(owner, frame, name)
        parts.append((codes[:, None] == np.arange(1, len(held))).astype(np.float64))
        called += [f"{name}={level}" for level in held[1:]]
    for part in parts:
        if len(part) != n:
            raise check.fail(owner, "frame", f"of {n} rows in every column", len(part))
    return (np.hstack(parts) if parts else np.empty((n, 0))), called


def design(owner: object, frame: Any, names: Iterable[Name], n: int) -> Design:
    """Covariates of a regression.

    Examples
    --------
    >>> found = design("AverageEffect", {"a": [1.0, 2.0, 3.0], "b": [2.0, 4.0, 6.0]}, ["a", "b"], 3)
    >>> found.columns, found.left_out
    (('a',), ('b',))
    """
    X, called = expanded(owner, frame, names, n)
    centre = X.mean(axis=0)
    Z = X - centre
    gram = Z.T @ Z
    scale = np.sqrt(np.diag(gram) / max(n, 1))
    constant = scale <= 1e-12 * np.maximum(np.abs(centre), 1e-300)
    safe = np.where(constant, 1.0, scale)
    Z /= safe
    kept = np.flatnonzero(~constant)
    if len(kept) and not _is_clear((gram / np.outer(safe, safe))[np.ix_(kept, kept)]):
        # Of columns that determine each other the first stays: its length is made the largest.
        R, order = qr(Z[:, kept] * np.geomspace(1.0, 0.5, len(kept)), mode="r", pivoting=True)
        size = np.abs(np.diag(R))
        kept = kept[np.sort(order[: len(size)][size > 1e-8 * size[0]])]
    away = [name for at, name in enumerate(called) if at not in set(kept.tolist())]
    return Design(
        Z if len(kept) == Z.shape[1] else np.ascontiguousarray(Z[:, kept]),
        tuple(called[i] for i in kept), tuple(away), centre[kept], scale[kept],
    )  # fmt: skip


def _is_clear(gram: Floats) -> bool:
    """Whether products of columns of the same length say that none is a combination of others.

    Rounding of the products is far below this share of the largest eigenvalue; where more is lost,
    the columns themselves have to be looked at.
    """
    if not np.isfinite(gram).all():
        return False
    values = np.linalg.eigvalsh(gram)
    return bool(values[0] > 1e-8 * values[-1])
