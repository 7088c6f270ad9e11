"""Arguments of the engines of hidden chains, checked and as the compiled loops take them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Indices


def chain_arguments(
    owner: str,
    log_emission: ArrayLike,
    offsets: ArrayLike,
    start: ArrayLike | None,
    transition: ArrayLike,
    *,
    normalised: bool = True,
) -> tuple[Floats, Indices, Floats, Floats]:
    """Table, offsets, start and transitions of a chain of shape (T, K), (n + 1,), (K,), (K, K).

    Examples
    --------
    >>> chain_arguments("chain_filter", [[0.0, 0.0]], [0, 1], [0.5, 0.5], [[1, 0], [1, 1]])
    Traceback (most recent call last):
    ValueError: chain_filter: transition must be probabilities that sum to 1, got 2.0
    """
    rows, places = log_likelihoods(owner, log_emission), _places(owner, offsets)
    k = rows.shape[1]
    _covering(owner, places, len(rows))
    first = np.zeros(k)
    if start is not None:
        first = probabilities(owner, "start", start, (k,), normalised=normalised)
    matrix = probabilities(owner, "transition", transition, (k, k), normalised=normalised)
    return rows, places, first, matrix


def state_arguments(
    owner: str, filtered: ArrayLike, offsets: ArrayLike, transition: ArrayLike
) -> tuple[Floats, Indices, Floats]:
    """Beliefs about states (T, K), offsets and transitions."""
    rows, places = _table(owner, "filtered", filtered), _places(owner, offsets)
    if rows.size and not (rows.min() >= 0 and rows.max() < np.inf):
        raise check.fail(owner, "filtered", "probabilities", "negative, NaN or infinite entries")
    _covering(owner, places, len(rows))
    k = rows.shape[1]
    return rows, places, probabilities(owner, "transition", transition, (k, k))


def log_likelihoods(owner: str, table: ArrayLike) -> Floats:
    """A table of shape (T, K) below infinity; minus infinity is an impossible observation."""
    rows = _table(owner, "log_emission", table)
    # One pass: the largest of numbers with NaN is NaN.
    if rows.size and not rows.max() < np.inf:
        wanted = "numbers below infinity, minus infinity where impossible"
        raise check.fail(owner, "log_emission", wanted, rows.max())
    return rows


def probabilities(
    owner: str, name: str, table: ArrayLike, shape: tuple[int, ...], *, normalised: bool = True
) -> Floats:
    """Rows of probabilities that sum to 1, or any numbers of at least 0 if not ``normalised``."""
    p = np.ascontiguousarray(_numbers(owner, name, table))
    if p.shape != shape:
        raise check.fail(owner, name, f"of shape {shape}", f"shape {p.shape}")
    if p.size and not (p.min() >= 0 and p.max() < np.inf):
        raise check.fail(owner, name, "finite numbers of at least 0", table)
    sums = np.atleast_1d(p.sum(axis=-1))
    if normalised and not np.allclose(sums, 1.0, atol=1e-6):
        worst = float(sums[np.abs(sums - 1.0).argmax()])
        raise check.fail(owner, name, "probabilities that sum to 1", worst)
    return p


def integer(owner: object, name: str, value: Any, least: int) -> int:
    """A whole number of at least ``least``.

    Examples
    --------
    >>> integer("chain_k_best", "k", 2.5, 1)
    Traceback (most recent call last):
    ValueError: chain_k_best: k must be an integer of at least 1, got 2.5
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise check.fail(owner, name, f"an integer of at least {least}", value)
    return int(value)


def _numbers(owner: str, name: str, table: Any) -> Floats:
    try:
        return np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, name, "an array of numbers", type(table).__name__) from error


def _table(owner: str, name: str, table: ArrayLike) -> Floats:
    rows = np.ascontiguousarray(_numbers(owner, name, table))
    if rows.ndim != 2 or not rows.shape[1]:
        raise check.fail(owner, name, "of shape (T, K)", f"shape {rows.shape}")
    return rows


def _places(owner: str, offsets: ArrayLike) -> Indices:
    places = np.asarray(offsets)
    if places.ndim != 1 or not len(places) or places.dtype.kind not in "iu":
        raise check.fail(owner, "offsets", "integers of shape (n + 1,)", offsets)
    return np.ascontiguousarray(places, dtype=np.int64)


def _covering(owner: str, places: Indices, length: int) -> None:
    if places[0] != 0 or places[-1] != length or (np.diff(places) < 0).any():
        raise check.fail(owner, "offsets", f"rising from 0 to {length}, the rows", places)
