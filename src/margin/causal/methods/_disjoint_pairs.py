"""Disjoint pairs of rows at small distance."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from margin.core.types import Floats, Indices


def disjoint_pairs(
    cost: Floats, caliper: float | None = None, pairing: str = "greedy"
) -> tuple[Indices, Indices]:
    """Rows and columns of disjoint pairs of small distance.

    Examples
    --------
    >>> import numpy as np
    >>> cost = np.array([[1.0, 2.0], [2.0, 9.0]])
    >>> [list(map(int, part)) for part in disjoint_pairs(cost)]
    [[0, 1], [0, 1]]
    >>> [list(map(int, part)) for part in disjoint_pairs(cost, pairing="optimal")]
    [[0, 1], [1, 0]]
    """
    limit = np.inf if caliper is None else caliper
    if pairing == "optimal":
        # A pair beyond the caliper costs more than all others together, and is taken out after.
        finite = cost[cost <= limit]
        barred = float(finite.sum() if finite.size else 0.0) + 1.0
        i, j = linear_sum_assignment(np.where(cost <= limit, cost, barred))
        kept = cost[i, j] <= limit
        return i[kept], j[kept]
    order = np.argsort(cost, axis=None, kind="stable")
    rows, columns = np.unravel_index(order, cost.shape)
    free_row, free_column = np.ones(cost.shape[0], bool), np.ones(cost.shape[1], bool)
    chosen: list[tuple[int, int]] = []
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if cost[i, j] > limit or len(chosen) == min(cost.shape):
            break
        if free_row[i] and free_column[j]:
            free_row[i] = free_column[j] = False
            chosen.append((i, j))
    pairs = np.array(sorted(chosen), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]
