"""Exact zeros at the end of a stochastic search."""

import numpy as np

from margin import optim
from margin.core.types import Floats

_TRIES = 12


def exact_zeros(rows: optim.RowSum, x: Floats) -> Floats:
    """The point with its smallest coefficients at zero, as many as do not raise the objective.

    A proximal step of one row sets coordinates to zero that the next row moves again, so that the
    last point has none where every row has all features. How many coefficients may go is found by
    halving; the objective of the answer is never above that of ``x``.
    """
    coef = x[: len(x) - int(rows.intercept)]
    order = np.argsort(np.abs(coef), kind="stable")
    best, highest = x, rows.value(rows.pad(x))
    low, high = 0, len(coef)
    for _ in range(_TRIES):
        if low >= high:
            break
        number = (low + high + 1) // 2
        candidate = x.copy()
        candidate[order[:number]] = 0.0
        if rows.value(rows.pad(candidate)) <= highest:
            best, low = candidate, number
        else:
            high = number - 1
    return best
