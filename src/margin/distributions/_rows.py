"""Values of every row under every member, by blocks of rows."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.statistics._weights import blocks


def by_blocks(
    density: Callable[[Floats], Floats], rows: Floats, members: tuple[int, ...], summed: int = 0
) -> Floats:
    """Values of shape (n, *members); the last ``summed`` axes of each are added up."""
    value = np.empty((len(rows), *members))
    event = rows.shape[1:]
    ones = (1,) * len(members)
    for part in blocks(len(rows), int(np.prod(members + event))):
        each = density(rows[part].reshape(-1, *ones, *event))
        value[part] = each.sum(axis=tuple(range(-summed, 0))) if summed else each
    return value


def sums_over_columns(
    owner: object, density: Callable[[Floats], Floats], shape: tuple[int, ...], X: ArrayLike
) -> Floats:
    """A value for every row and member: the sum of those of its columns.

    Parameters
    ----------
    density : callable
        Value of every entry, broadcast against parameters of the given ``shape``.
    shape : tuple of int
        (k,) or () for rows of one number, (k, d) or (d,) for rows of ``d``.
    X : array-like of shape (n,) or (n, d)
    """
    rows = numbers(owner, "X", X)
    event = rows.shape[1:]
    members = shape[: len(shape) - len(event)]
    if rows.ndim == 0 or (shape and shape[len(members) :] != event):
        need = f"rows of shape {shape[-1:]}, or of one number each"
        raise check.fail(owner, "X", need, f"shape {rows.shape}")
    return by_blocks(density, rows, members, summed=len(event))
