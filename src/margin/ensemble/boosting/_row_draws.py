"""Rows that a stage is grown on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Bools

Rows = NDArray[np.uint32]
Singles = NDArray[np.float32]
_TOP, _OTHER = 0.2, 0.1  # shares of rows that one-side sampling keeps and draws


def share_of_rows(n: int, share: float, rng: np.random.Generator) -> Rows:
    """A share of the rows, drawn without replacement, in rising order; at least one of them.

    Examples
    --------
    >>> len(share_of_rows(7, 0.5, np.random.default_rng(0)))
    3
    """
    size = max(1, int(share * n))
    return np.sort(rng.choice(n, size, replace=False, shuffle=False)).astype(np.uint32)


def one_side(g: Singles, h: Singles | None, rng: np.random.Generator) -> Rows:
    """All rows of large slope and a few of the others, whose slopes and curvatures grow for it."""
    n = g.shape[1]
    size = np.abs(g if h is None else g * h).sum(axis=0)
    top = min(n, max(1, round(_TOP * n)))
    large = np.argpartition(-size, top - 1)[:top]
    others = np.flatnonzero(left_out(large, n))
    drawn = rng.choice(others, min(len(others), max(1, round(_OTHER * n))), replace=False)
    if len(drawn):
        factor = np.float32(len(others) / len(drawn))
        for array in (g,) if h is None else (g, h):
            array[:, drawn] *= factor
    return np.sort(np.concatenate([large, drawn])).astype(np.uint32)


def left_out(rows: NDArray[np.integer], n: int) -> Bools:
    """Which of ``n`` rows were not drawn."""
    rest = np.ones(n, dtype=np.bool_)
    rest[rows] = False
    return rest
