"""Linear effects along a causal order, and which of them are worth keeping."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from margin.core.types import Bools, Floats
from margin.linalg import lstsq
from margin.search import Knowledge


def linear_effects(
    covariance: Floats, n_rows: int, order: Sequence[int], knowledge: Knowledge, penalty: float
) -> Floats:
    """Matrix whose entry [i, j] is the effect of column j on column i.

    Every column is regressed on those before it in ``order``, as far as knowledge allows; then the
    cause that matters least goes, as long as ``n log RSS + penalty * causes`` falls. Required
    causes stay.
    """
    effects = np.zeros_like(covariance)
    for place, target in enumerate(order):
        before = [j for j in order[:place] if not knowledge.forbidden[j, target]]
        kept = knowledge.required[before, target] != 0
        slopes = eliminate(covariance, n_rows, target, np.array(before, int), kept, penalty)
        effects[target, before] = slopes
    return effects


def eliminate(
    covariance: Floats, n_rows: int, target: int, causes: np.ndarray, kept: Bools, penalty: float
) -> Floats:
    """Slopes of a target on its causes; the least useful go as long as they are worth their price.

    Examples
    --------
    >>> covariance = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> eliminate(covariance, 100, 0, np.array([1]), np.array([False]), 4.6)
    array([0.5])
    """
    if not len(causes):
        return np.zeros(0)
    across = covariance[causes, target]
    inverse = lstsq(covariance[np.ix_(causes, causes)], np.eye(len(causes)), 1e-14)
    slopes = np.asarray(inverse @ across)
    left = max(float(covariance[target, target] - across @ slopes), 1e-300)
    open_ones = ~kept
    while open_ones.any():
        own = np.where(open_ones, np.diag(inverse), 1.0)
        rise = np.where(open_ones, slopes**2 / own, np.inf)
        least = int(np.argmin(rise))
        if n_rows * np.log1p(rise[least] / left) >= penalty:
            break
        # One column and row less of the inverse, and the slopes without that cause.
        column = inverse[:, least] / inverse[least, least]
        slopes = slopes - column * slopes[least]
        inverse = inverse - np.outer(column, inverse[least])
        slopes[least] = 0.0
        open_ones[least] = False
        left += float(rise[least])
    return slopes
