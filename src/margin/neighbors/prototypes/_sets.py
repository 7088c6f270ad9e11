"""Condensed and edited sets of rows, on plain arrays."""

from collections.abc import Callable

import numpy as np

from margin.core.types import Array, Floats, Indices
from margin.neighbors.models._votes import votes
from margin.neighbors.search._points import Points

Row = Callable[[int], Floats]


def condensed(codes: Indices, distances: Row, order: Indices) -> Indices:
    """Rows that suffice to classify all rows by their nearest: the rule of Hart.

    Rows are visited in turn; one whose nearest kept row has another class is kept too, until a
    whole pass keeps none.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Classes.
    distances : callable
        ``distances(i)``, those of row ``i`` to all rows.
    order : ndarray of shape (n,)
        In which rows are visited.

    Returns
    -------
    ndarray
        Numbers of the rows kept, in the order they were.

    Notes
    -----
    :math:`O(n m p)` for :math:`m` rows kept: every row remembers its nearest kept one.
    """
    n = len(codes)
    nearest, answer = np.full(n, np.inf), np.full(n, -1)
    kept = np.zeros(n, dtype=bool)
    chosen: list[int] = []

    def keep(row: int) -> None:
        distance = distances(row)
        closer = distance < nearest
        nearest[closer], answer[closer] = distance[closer], codes[row]
        kept[row] = True
        chosen.append(row)

    for code in range(int(codes.max()) + 1):
        keep(int(order[np.argmax(codes[order] == code)]))
    place = 0
    while True:
        wrong = np.flatnonzero((answer[order] != codes[order]) & ~kept[order])
        if not len(wrong):
            return np.array(chosen)
        # The next wrong row of this pass, or the first of another.
        later = wrong[wrong >= place]
        at = int(later[0] if len(later) else wrong[0])
        keep(int(order[at]))
        place = at + 1


def edited(codes: Indices, points: Points, k: int, n_threads: int, *, repeated: bool) -> Indices:
    """Rows whose neighbours agree with their class: the rule of Wilson.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Classes.
    points : Points
        The rows.
    k : int
        Neighbours that vote.
    n_threads : int
    repeated : bool
        Whether rows are dropped again and again, until the neighbours that are left agree.

    Returns
    -------
    ndarray
        Numbers of the rows kept, rising.
    """
    n_classes = int(codes.max()) + 1
    kept = np.ones(len(codes), dtype=bool)
    # All that the search can give: those dropped later are passed over.
    wide = min(len(codes) - 1, 4 * k + 8 if repeated else k)
    number = points.nearest(None, wide, n_threads)[1]
    while True:
        agree = _agrees(codes, number, kept, k, n_classes)
        dropped = kept & ~agree
        kept &= agree
        if not repeated or not dropped.any():
            return np.flatnonzero(kept)


def _agrees(codes: Indices, number: Indices, kept: Array, k: int, n_classes: int) -> Array:
    """Whether the first ``k`` kept neighbours of each row vote for its class."""
    alive = kept[number]
    first = alive & (np.cumsum(alive, axis=1) <= k)
    totals = votes(codes[number], first.astype(np.float64), n_classes)
    return np.asarray(totals[np.arange(len(codes)), codes] >= totals.max(axis=1))
