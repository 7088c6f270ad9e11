"""Passes of k-means with two centres."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.cluster.centres import Table, in_tiles

Floats = NDArray[np.float64]
Labels = NDArray[np.int32]


class Crossing(NamedTuple):
    """What a pass found.

    Parameters
    ----------
    sums, mass : ndarray of shape (2, p) and (2,)
        Weighted sums of the rows of both sides, and their weights.
    inertia : float
        Weighted sum of the squared distances to the centres.
    share : float
        The same over that of the distances to the middle of the table; where it is small, the
        inertia has lost digits.
    changed, doubtful : int
        Rows with another label than before, and rows compared in double precision.
    """

    sums: Floats
    mass: Floats
    inertia: float
    share: float
    changed: int
    doubtful: int


@dataclass(eq=False)
class TwoSides:
    """Rows on either side of the plane between two centres, brought up to date in place.

    One product per row tells its side; only rows that change sides are summed.

    Parameters
    ----------
    rows : Table
    n_threads : int

    Attributes
    ----------
    label : ndarray of shape (n,)
        0 or 1; -1 before the first pass.
    """

    rows: Table
    n_threads: int = 1
    label: Labels = field(init=False)

    def __post_init__(self) -> None:
        n, p = self.rows.X.shape
        self.rows = in_tiles(self.rows, self.n_threads)
        self.label = np.full(n, -1, dtype=np.int32)
        self._about, self._mass, self._squares = np.zeros((2, p)), np.zeros(2), np.zeros(1)
        assert self.rows.norms is not None
        with np.errstate(over="ignore"):
            self._radius = (np.sqrt(self.rows.norms) * (1 + 1e-6)).astype(np.float32)

    def move(self, centres: Floats) -> Crossing:
        """Labels for these centres, the first among equals."""
        rows, sums = self.rows, np.empty_like(self._about)
        assert rows.tiles is not None
        changed, doubtful, error = _native.two_sides(
            rows.X, rows.weight, rows.tiles, self._radius, rows.middle, rows.scale, centres,
            self.label, self._about, self._mass, self._squares, sums, self.n_threads,
        )  # fmt: skip
        share = error / (float(self._squares[0]) or 1.0)
        return Crossing(sums, self._mass.copy(), error, share, changed, doubtful)
