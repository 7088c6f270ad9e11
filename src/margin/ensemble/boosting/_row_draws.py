"""Rows that a stage is grown on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Bools, Floats
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._objective import Singles, Slopes

Rows = NDArray[np.uint32]
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


def one_side(size: Singles, rng: np.random.Generator) -> tuple[Rows, Floats]:
    """All rows of large slope and a few of the others, and how many rows each stands for.

    What is summed over the rows drawn (slopes, curvatures, weights, losses) is to be multiplied by
    these numbers, one per row of the table; then sums are right on average.

    Examples
    --------
    >>> rows, stands_for = one_side(np.ones(20, dtype=np.float32), np.random.default_rng(0))
    >>> len(rows), float(stands_for[rows].sum())
    (6, 20.0)
    """
    n = len(size)
    top = min(n, max(1, round(_TOP * n)))
    order = rng.permutation(n)  # chance decides between equal slopes
    large = order[np.argpartition(-size[order], top - 1)[:top]]
    others = np.flatnonzero(left_out(large, n))
    drawn = rng.choice(others, min(len(others), max(1, round(_OTHER * n))), replace=False)
    stands_for = np.ones(n)
    stands_for[drawn] = len(others) / max(1, len(drawn))
    return np.sort(np.concatenate([large, drawn])).astype(np.uint32), stands_for


def left_out(rows: NDArray[np.integer], n: int) -> Bools:
    """Which of ``n`` rows were not drawn."""
    rest = np.ones(n, dtype=np.bool_)
    rest[rows] = False
    return rest


def drawn_rows(
    slopes: Slopes, raw: Floats, settings: BoostSettings, stage: int, rng: np.random.Generator
) -> tuple[Rows | None, Floats | None]:
    """Rows that a stage is grown on, in rising order, and what each stands for; None for all."""
    if settings.one_side and stage > 1.0 / settings.rate:
        return one_side(slopes.sizes(raw), rng)
    if settings.subsample < 1.0:
        return share_of_rows(raw.shape[1], settings.subsample, rng), None
    return None, None


def as_drawn(
    g: Singles, h: Singles | None, stands_for: Floats | None
) -> tuple[Singles, Singles | None]:
    """Slopes and curvatures of rows that stand for several."""
    if stands_for is None:
        return g, h
    factor = stands_for.astype(np.float32)
    return g * factor, factor if h is None else h * factor
