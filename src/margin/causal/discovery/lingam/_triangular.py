"""The order in which a matrix of effects is as nearly triangular as can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Bools, Floats
from margin.search import Knowledge

LARGEST_EXACT = 12


@dataclass(frozen=True)
class TriangularOrder:
    """Columns from causes to effects.

    Parameters
    ----------
    order : tuple of int
    left_over : float
        Sum of the squared effects of later columns on earlier ones, which the order denies.
    exact : bool
        Whether every order was considered.
    """

    order: tuple[int, ...]
    left_over: float
    exact: bool


def triangular_order(effects: Floats, knowledge: Knowledge) -> TriangularOrder:
    r"""Order of least :math:`\sum_{i \text{ before } j} B_{ij}^2`, entry [i, j]: j on i.

    Up to 12 columns by dynamic programming over the sets of columns that stand first, in
    O(2^p p) time. More columns: the smallest threshold below which effects must be dropped to
    leave an acyclic graph, by bisection, and the order of that graph.

    Examples
    --------
    >>> triangular_order(np.array([[0, 2.0], [0.1, 0]]), Knowledge.none(2)).order
    (1, 0)
    """
    squares = effects**2
    np.fill_diagonal(squares, 0.0)
    waits = waiting(knowledge)
    exact = len(squares) <= LARGEST_EXACT
    order = _exact(squares, waits) if exact else _by_threshold(squares, waits)
    turned = squares[np.ix_(order, order)]
    return TriangularOrder(tuple(order), float(np.triu(turned, 1).sum()), exact)


def waiting(knowledge: Knowledge) -> Bools:
    """Entry [i, j]: column i may not stand before column j.

    Prohibitions that form a circle leave the order to the requirements.
    """
    must = knowledge.required.T != 0
    never = knowledge.forbidden != 0
    waits = np.asarray(must | (never & ~never.T))
    return waits if topological(waits, np.zeros(waits.shape)) else must


def topological(waits: Bools, squares: Floats) -> list[int]:
    """An order without a column before one it waits for; empty where there is none.

    Of several candidates the one goes first that later columns seem to influence least.
    """
    left = np.arange(len(waits))
    order: list[int] = []
    while len(left):
        free = left[~waits[np.ix_(left, left)].any(axis=1)]
        if not len(free):
            return []
        against = squares[np.ix_(free, left)].sum(axis=1)
        order.append(int(free[np.argmin(against)]))
        left = left[left != order[-1]]
    return order


def _exact(squares: Floats, waits: Bools) -> list[int]:
    """Dynamic programming; set number ``s`` holds column ``i`` where bit ``i`` is 1."""
    p = len(squares)
    sets = np.arange(1 << p)
    inside = (sets[:, None] >> np.arange(p)) & 1
    denied = inside @ squares  # [s, i]: effects of i on the columns of s
    allowed = ((1 - inside) @ waits.T.astype(np.int64)) == 0
    best, last = np.full(1 << p, np.inf), np.zeros(1 << p, dtype=np.intp)
    best[0] = 0.0
    for size in range(p):
        for before in sets[inside.sum(axis=1) == size]:
            if not np.isfinite(best[before]):
                continue
            for i in np.flatnonzero((inside[before] == 0) & allowed[before]):
                cost = best[before] + denied[before, i]
                after = before | (1 << int(i))
                if cost < best[after]:
                    best[after], last[after] = cost, i
    order: list[int] = []
    left = (1 << p) - 1
    while left:
        order.append(int(last[left]))
        left ^= 1 << order[-1]
    return order[::-1]


def _by_threshold(squares: Floats, waits: Bools) -> list[int]:
    steps = np.unique(squares)
    low, high = 0, len(steps) - 1  # dropping all effects always helps
    while low < high:
        middle = (low + high) // 2
        if topological(waits | (squares > steps[middle]), squares):
            high = middle
        else:
            low = middle + 1
    return topological(waits | (squares > steps[high]), squares)
