"""Resamples of rows, as many as there is time for."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from margin.core.types import Floats
from margin.evaluation.resamples._weighted import Score

MOST, FEWEST = 999, 50


def affordable(score: Score, n: int, seconds: float) -> int:
    """Resamples of ``n`` rows that so many seconds are enough for, from 50 to 999.

    Examples
    --------
    >>> affordable(lambda weight: 0.0, 10, float("inf")), affordable(lambda weight: 0.0, 10, 0.0)
    (999, 50)
    """
    started = time.perf_counter()
    resampled([score], n, np.random.default_rng(0), 2)
    each = (time.perf_counter() - started) / 2
    return int(np.clip(seconds / max(each, 1e-9), FEWEST, MOST))


def resampled(
    scores: Sequence[Score], n: int, rng: np.random.Generator, resamples: int = MOST
) -> Floats:
    """Scores of ``n`` rows drawn with replacement, again and again; a column for each score.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> resampled([np.sum, np.max], 5, rng, 3)[:, 0]
    array([5., 5., 5.])
    """
    drawn = np.empty((resamples, len(scores)))
    for i in range(resamples):
        weight = np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)
        drawn[i] = [score(weight) for score in scores]
    return drawn
