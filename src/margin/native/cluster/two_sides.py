"""Passes of k-means with two centres."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.cluster.centres import Table, in_tiles

Floats = NDArray[np.float64]
Labels = NDArray[np.int32]


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
    sums, mass : ndarray of shape (2, p) and (2,)
        Weighted sums of the rows of both sides about the middle of the table, and their weights.
    squares : float
        Weighted sum of the squared distances from the middle.
    """

    rows: Table
    n_threads: int = 1
    label: Labels = field(init=False)
    sums: Floats = field(init=False)
    mass: Floats = field(init=False)
    squares: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        n, p = self.rows.X.shape
        self.rows = in_tiles(self.rows, self.n_threads)
        self.label = np.full(n, -1, dtype=np.int32)
        self.sums, self.mass = np.zeros((2, p)), np.zeros(2)
        assert self.rows.norms is not None
        with np.errstate(over="ignore"):
            self._radius = (np.sqrt(self.rows.norms) * (1 + 1e-6)).astype(np.float32)
        self._fresh = True

    def move(self, centres: Floats) -> tuple[int, int]:
        """Labels for these centres, the first among equals.

        Returns
        -------
        changed, doubtful : int
            Rows with another label than before, and rows compared in double precision.
        """
        rows, p = self.rows, self.rows.X.shape[1]
        moved, whole = np.empty(p + 1), np.empty(p + 2)
        changed, doubtful = _native.two_sides(
            rows.X, rows.weight, rows.tiles, self._radius, rows.middle, rows.scale, centres,
            self.label, moved, whole, self.n_threads,
        )  # fmt: skip
        if self._fresh:
            self.sums[0], self.mass[0], self.squares = whole[:-2], whole[-2], float(whole[-1])
            self._fresh = False
        self.sums[1] += moved[:-1]
        self.sums[0] -= moved[:-1]
        self.mass[1] += moved[-1]
        self.mass[0] -= moved[-1]
        return changed, doubtful
