"""Matching of two sets of nodes at least cost."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from margin.core.types import Bools, Floats, Places


def match(
    cost: ArrayLike, *, threshold: float = np.inf, method: str = "hungarian"
) -> tuple[Places, Places]:
    """Pairs of rows and columns, each used once, of least total cost (graphs.17).

    Parameters
    ----------
    cost : array-like of shape (n, m)
        Cost of pairing row and column; infinite where they may not be paired.
    threshold : float
        Pairs that cost more are not allowed (the caliper of matching studies).
    method : {"hungarian", "greedy"}
        The best of the largest matchings, or the cheapest pair left, again and again.

    Returns
    -------
    rows, columns : arrays
        The pairs, by row. As many as are allowed: some rows may be left out.

    Examples
    --------
    >>> cost = [[1.0, 2.0], [2.0, 9.0]]
    >>> [part.tolist() for part in match(cost)]
    [[0, 1], [1, 0]]
    >>> [part.tolist() for part in match(cost, threshold=3.0, method="greedy")]
    [[0], [0]]
    """
    C = np.asarray(cost, dtype=np.float64)
    if C.ndim != 2 or np.any(np.isnan(C)) or np.any(-np.inf == C):
        raise ValueError("match: cost must be a matrix without NaN or -inf")
    allowed = (threshold >= C) & np.isfinite(C)
    if method == "hungarian":
        rows, columns = _hungarian(C, allowed)
    elif method == "greedy":
        rows, columns = _greedy(C, allowed)
    else:
        raise ValueError(f"match: method must be one of 'hungarian', 'greedy', got {method!r}")
    order = np.argsort(rows, kind="stable")
    return rows[order], columns[order]


def _hungarian(C: Floats, allowed: Bools) -> tuple[Places, Places]:
    if not allowed.any():
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    # A forbidden pair must cost more than any saving: then as few as possible are used.
    low, high = C[allowed].min(), C[allowed].max()
    span = max(high - low, np.finfo(np.float64).tiny)
    scaled = np.where(allowed, (C - low) / span, 1.0 + 2.0 * min(C.shape))
    rows, columns = linear_sum_assignment(scaled)
    kept = allowed[rows, columns]
    return rows[kept], columns[kept]


def _greedy(C: Floats, allowed: Bools) -> tuple[Places, Places]:
    rows, columns = np.nonzero(allowed)
    order = np.argsort(C[rows, columns], kind="stable")
    free_row = np.ones(C.shape[0], dtype=np.bool_)
    free_column = np.ones(C.shape[1], dtype=np.bool_)
    taken = []
    for at in order:
        if free_row[rows[at]] and free_column[columns[at]]:
            free_row[rows[at]] = free_column[columns[at]] = False
            taken.append(at)
    chosen = np.array(taken, dtype=np.intp)
    return rows[chosen], columns[chosen]
