"""Histograms of any dimension, on plain arrays: only cells that hold rows are kept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Bools, Floats, Indices

_MOST_TRIED = 30
_MOST_BINS = 100_000.0


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of equal size over a box.

    Parameters
    ----------
    low, high : ndarray of shape (p,)
        The box; the upper border belongs to its last cells.
    bins : ndarray of shape (p,)
        Cells along each column.
    """

    low: Floats
    high: Floats
    bins: Indices

    @property
    def log_volume(self) -> float:
        """Logarithm of that of one cell, which may itself be below all numbers."""
        return float(np.sum(np.log((self.high - self.low) / self.bins)))

    def cells(self, X: Array) -> tuple[Indices, Bools]:
        """Cell of every row, one number per column, and whether it is inside the box."""
        share = (X.astype(np.float64) - self.low) / (self.high - self.low)
        cells = np.floor(np.clip(share, 0.0, 1.0) * self.bins).astype(np.int64)
        inside = np.asarray(((self.low <= X) & (self.high >= X)).all(axis=1))
        return np.asarray(np.minimum(cells, self.bins - 1)), inside


@dataclass(frozen=True, eq=False)
class Histogram:
    """Weight in the cells of a grid.

    Parameters
    ----------
    grid : Grid
    cells : ndarray of shape (m, p)
        Those that hold rows, in lexicographic order.
    weight : ndarray of shape (m,)
    """

    grid: Grid
    cells: Indices
    weight: Floats

    @classmethod
    def of(cls, X: Array, weight: Floats, grid: Grid) -> Histogram:
        """Count the rows of a table, all inside the box of the grid."""
        cells, place = np.unique(grid.cells(X)[0], axis=0, return_inverse=True)
        totals = np.bincount(place.ravel(), weights=weight, minlength=len(cells))
        return cls(grid, cells, totals.astype(np.float64))

    def log_density(self, X: Array, alpha: float) -> Floats:
        """Logarithm of the density at each row, with ``alpha`` rows more in every cell."""
        cells, inside = self.grid.cells(X)
        known = {tuple(cell): w for cell, w in zip(self.cells.tolist(), self.weight, strict=True)}
        count = np.array([known.get(tuple(cell), 0.0) for cell in cells.tolist()])
        n_cells = float(np.prod(self.grid.bins.astype(np.float64)))
        total = self.weight.sum() + alpha * n_cells
        with np.errstate(divide="ignore"):
            density = np.log(count + alpha) - np.log(total) - self.grid.log_volume
        return np.where(inside, density, -np.inf)


def box(X: Array) -> tuple[Floats, Floats]:
    """Least and largest values of the columns, a constant one made as wide as one unit."""
    low, high = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    flat = ~(high > low)
    half = np.where(flat, np.maximum(0.5, np.abs(low) * 1e-9), 0.0)
    return low - half, high + half


def risk(histogram: Histogram) -> float:
    r"""Estimate of the squared error of a density, up to a constant, by leaving rows out.

    With :math:`\hat p_j` the share of cell :math:`j` of volume :math:`V`, in units of the box,

    .. math:: \hat J = \frac{2 - (n + 1) \sum_j \hat p_j^2}{(n - 1) V} .
    """
    n = float(histogram.weight.sum())
    share = histogram.weight / n
    n_cells = float(np.prod(histogram.grid.bins.astype(np.float64)))
    return float((2.0 - (n + 1.0) * (share @ share)) / (n - 1.0) * n_cells)


def best_bins(X: Array, weight: Floats) -> tuple[int, Indices, Floats]:
    """Number of bins per column with the least risk; all that were tried, and their risks."""
    n, p = float(weight.sum()), X.shape[1]
    low, high = box(X)
    most = max(1.0, 3.0 * n ** (1.0 / max(2.0, p)) if n > 1 else 1.0)
    most = min(most, _MOST_BINS)
    tried = np.unique(np.geomspace(1, most, _MOST_TRIED).astype(np.int64))
    if n <= 1:
        return 1, tried[:1], np.zeros(1)
    grids = [Grid(low, high, np.full(p, b)) for b in tried]
    risks = np.array([risk(Histogram.of(X, weight, grid)) for grid in grids])
    return int(tried[np.argmin(risks)]), tried, risks
