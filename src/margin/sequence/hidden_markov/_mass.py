"""The mass of states: counts of paths, rows of shares, states that lose it all."""

from typing import Any

import numpy as np

from margin.core import FitError
from margin.core.types import Bools, Floats, Indices, Places

_NO_MASS = 1e-7  # share of all steps below which a state has lost its mass
_SEED = 0.01  # what a state is given for another start


def hard_counts(
    path: Any, offsets: Indices, n_states: int, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Shares (T, K) and counts of transitions (K, K) of known paths.

    Examples
    --------
    >>> import numpy as np
    >>> hard_counts(np.array([0, 1, 1]), np.array([0, 2, 3]), 2)[1]
    array([[0., 1.],
           [0., 0.]])
    """
    each = np.ones(len(path)) if weight is None else np.repeat(weight, np.diff(offsets))
    share = np.zeros((len(path), n_states))
    share[np.arange(len(path)), path] = each
    inner = np.ones(len(path), dtype=bool)
    inner[offsets[1:][np.diff(offsets) > 0] - 1] = False
    at = np.flatnonzero(inner)
    codes = np.asarray(path, dtype=np.int64)[at] * n_states + path[at + 1]
    pairs = np.bincount(codes, each[at], minlength=n_states**2).reshape(n_states, n_states)
    return share, pairs.astype(np.float64)


def shares_of(counts: Floats, before: Floats, prior: float) -> Floats:
    """Rows that sum to one: counts plus the prior, zeros kept, rows without any as they were.

    Examples
    --------
    >>> shares_of(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[0.5, 0.5], [1.0, 0.0]]), 2.0)
    array([[0.66666667, 0.33333333],
           [1.        , 0.        ]])
    """
    more = np.where(before > 0, np.maximum(counts + (prior - 1.0), 0.0), 0.0)
    total = more.sum(axis=1, keepdims=True)
    return np.where(total > 0, more / np.where(total > 0, total, 1.0), before)


def with_mass(table: Floats, free: Bools, states: tuple[int, ...]) -> Floats:
    """Rows of probabilities with a little for each of the states, where ``free`` allows it."""
    more = table.copy()
    for k in states:
        more[:, k] = np.where(free[:, k], np.maximum(more[:, k], _SEED), more[:, k])
    return np.asarray(more / more.sum(axis=1, keepdims=True))


def without_mass(visits: Floats) -> Places:
    """States that next to nothing visits."""
    return np.flatnonzero(visits <= _NO_MASS * max(visits.sum(), 1e-300))


def lost_told(
    new: tuple[int, ...], again: tuple[int, ...], fixed: tuple[str, ...]
) -> tuple[str, ...]:
    """What a report says about states that lost their mass, for the first time and again."""
    if {"start", "transition", "emission"} <= set(fixed):
        return ()
    if "emission" in fixed:
        return tuple(f"state {k} has lost all its mass; its law is fixed" for k in new)
    first = "had lost all its mass and was seeded again with the law of all rows"
    then = "lost all its mass again and is left with the law of all rows"
    return tuple(f"state {k} {first}" for k in new) + tuple(f"state {k} {then}" for k in again)


def refuse_impossible(values: Floats, before: int = 0) -> None:
    """Refuse sequences that cannot be; ``before`` so many others stood before them."""
    bad = np.flatnonzero(~(values > -np.inf))
    if len(bad):
        raise FitError(
            f"sequence {before + bad[0]} has probability 0 under the parameters ({len(bad)} of "
            f"{len(values)} sequences); give start, transition or emission fewer zeros"
        )
