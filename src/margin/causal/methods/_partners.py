"""The rows most like another one, all rows of one place together."""

from dataclasses import dataclass

import numpy as np

from margin.core.types import Bools, Floats, Indices
from margin.neighbors import NearestNeighbors


@dataclass(frozen=True, eq=False)
class Partners:
    """The rows that stand in for others; rows at one place are partners together.

    Parameters
    ----------
    mean : ndarray of shape (n_asked,)
        Mean outcome of the partners.
    gap : ndarray of shape (n_asked,)
        Distance of the farthest.
    place : ndarray of shape (n_asked, k)
        Places of the partners, nearest first, with ``used`` telling how many are needed.
    size : ndarray of shape (n_asked,)
        Number of partners.
    of_row : ndarray
        Place of every row that was searched.
    """

    mean: Floats
    gap: Floats
    place: Indices
    used: Bools
    size: Floats
    of_row: Indices

    def shares(self, weight: Floats, power: int = 1) -> Floats:
        """Sum over the rows served of ``(weight / size) ** power``, for every row searched."""
        each = np.broadcast_to(((weight / self.size) ** power)[:, None], self.used.shape)
        n_places = int(self.of_row.max()) + 1
        sums = np.bincount(self.place[self.used], each[self.used], n_places)
        return np.asarray(sums[self.of_row])


def partners(points: Floats, y: Floats, asked: Floats, k: int) -> Partners:
    """The k nearest of the points, all of those at one place together.

    Examples
    --------
    >>> P = np.array([[0.0], [0.0], [3.0]])
    >>> partners(P, np.array([1.0, 2.0, 9.0]), np.array([[0.1]]), 1).mean
    array([1.5])
    """
    places, of_row, count = _distinct(points)
    sums = np.bincount(of_row, y, len(places))
    gaps, at = NearestNeighbors(n_neighbors=min(k, len(places))).fit(places).kneighbors(asked)
    before = np.cumsum(count[at], axis=1) - count[at]
    used = before < k
    size = (count[at] * used).sum(axis=1).astype(np.float64)
    return Partners(
        (sums[at] * used).sum(axis=1) / size, np.where(used, gaps, 0.0).max(axis=1), at, used,
        size, of_row,
    )  # fmt: skip


def alike(points: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Mean outcome of the nearest others of the same level, and the variance that they show."""
    places, of_row, count = _distinct(points)
    sums = np.bincount(of_row, y, len(places))
    alone = count == 1
    if len(places) > 1:
        at = NearestNeighbors(n_neighbors=2).fit(places).kneighbors(places)[1]
        next_to = np.where(at[:, 0] == np.arange(len(places)), at[:, 1], at[:, 0])
    else:
        next_to = np.zeros(1, dtype=np.int64)
    n_others = np.where(alone, count[next_to], count - 1)[of_row]
    mean = np.where(alone[of_row], sums[next_to][of_row], sums[of_row] - y) / n_others
    return mean, n_others / (n_others + 1) * (y - mean) ** 2


def _distinct(points: Floats) -> tuple[Floats, Indices, Indices]:
    places, of_row, count = np.unique(
        np.round(points, 12), axis=0, return_inverse=True, return_counts=True
    )
    return places, of_row.ravel().astype(np.int64), count.astype(np.int64)
