"""Futures of a hidden regime: all paths where they are few, drawn ones otherwise."""

from typing import NamedTuple

import numpy as np

from margin.core.types import Floats, Places

_MOST = 256
_DRAWN = 400


class RegimePaths(NamedTuple):
    """Paths of regimes and their probabilities.

    Parameters
    ----------
    paths : ndarray of int of shape (n, h)
    weights : ndarray of shape (n,)
        Of sum 1.
    """

    paths: Places
    weights: Floats


def regime_paths(now: Floats, transition: Floats, h: int, rng: np.random.Generator) -> RegimePaths:
    """Regimes of the next ``h`` steps from their probabilities now.

    Parameters
    ----------
    now : ndarray of shape (k,)
    transition : ndarray of shape (k, k)
        From row to column.
    h : int
    rng : numpy.random.Generator
        Draws paths where all of them would be more than a few hundred.

    Examples
    --------
    >>> import numpy as np
    >>> found = regime_paths(np.array([1.0, 0.0]), np.array([[0.9, 0.1], [0.5, 0.5]]), 1, None)
    >>> found.paths.ravel(), found.weights
    (array([0, 1]), array([0.9, 0.1]))
    """
    k, first = len(now), now @ transition
    if k**h <= _MOST:
        paths = np.stack(np.unravel_index(np.arange(k**h), (k,) * h), axis=1)
        weights = first[paths[:, 0]]
        for t in range(1, h):
            weights = weights * transition[paths[:, t - 1], paths[:, t]]
        kept = weights > 0
        return RegimePaths(paths[kept], weights[kept] / weights[kept].sum())
    paths = np.empty((_DRAWN, h), dtype=np.intp)
    # Evenly spread first draws, so that rare regimes have their share.
    even = (np.arange(_DRAWN) + rng.random()) / _DRAWN
    paths[:, 0] = np.minimum(np.searchsorted(np.cumsum(first / first.sum()), even), k - 1)
    sums = np.cumsum(transition, axis=1)
    for t in range(1, h):
        level = rng.random(_DRAWN)[:, None] * sums[paths[:, t - 1], -1:]
        paths[:, t] = np.minimum((sums[paths[:, t - 1]] < level).sum(axis=1), k - 1)
    return RegimePaths(paths, np.full(_DRAWN, 1.0 / _DRAWN))
