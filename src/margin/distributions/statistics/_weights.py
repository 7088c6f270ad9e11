"""Weights of rows: one for each, or one for each member of a mixture."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers

# Numbers worked on at once: they stay in the cache of one core.
_BLOCK = 1 << 17


def row_weights(owner: str, weight: ArrayLike | None, n: int) -> Floats:
    """One finite, non-negative weight per row; unlike those of a fit, they may all be zero."""
    if weight is None:
        return np.ones(n)
    w = numbers(owner, "weight", weight)
    if w.shape != (n,):
        raise check.fail(owner, "weight", f"of shape ({n},)", f"shape {w.shape}")
    return _not_negative(owner, w)


def is_shared(weight: ArrayLike | None) -> bool:
    """Whether weights are a matrix: a column for each of several members."""
    return weight is not None and np.ndim(weight) == 2


def responsibilities(owner: str, weight: ArrayLike, n: int) -> Floats:
    """How much of every row belongs to each of ``k`` members, of shape (n, k).

    Examples
    --------
    >>> responsibilities("Normal", [[0.5, -0.5]], 1)
    Traceback (most recent call last):
    ValueError: Normal: weight must be finite and at least 0 everywhere, got -0.5
    """
    w = numbers(owner, "weight", weight)
    if w.ndim != 2 or len(w) != n:
        raise check.fail(owner, "weight", f"of shape ({n}, k)", f"shape {w.shape}")
    return _not_negative(owner, w)


def member_shares(owner: Any, n: int, weight: ArrayLike | None) -> Floats:
    """Responsibilities for the members of an array of distributions of shape (k,)."""
    name = type(owner).__name__
    wanted = f"of shape ({n}, {', '.join(map(str, owner.shape))}), a column for each member"
    if weight is None or np.shape(weight) != (n, *owner.shape):
        raise check.fail(name, "weight", wanted, weight if weight is None else np.shape(weight))
    return responsibilities(name, weight, n)


def blocks(n: int, width: int) -> Iterator[slice]:
    """Runs of rows, each of some ten thousand numbers when a row takes ``width`` of them.

    Examples
    --------
    >>> [b.stop - b.start for b in blocks(5, 1 << 16)]
    [2, 2, 1]
    """
    step = max(1, _BLOCK // max(width, 1))
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def _not_negative(owner: str, w: Floats) -> Floats:
    if not np.isfinite(w).all() or (w.size and w.min() < 0):
        raise check.fail(owner, "weight", "finite and at least 0 everywhere", float(w.min()))
    return w
