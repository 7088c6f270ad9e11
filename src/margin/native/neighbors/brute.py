"""Euclidean neighbours by products with all points, and the smallest entries of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Indices = NDArray[np.int64]
Lists = tuple[Indices, Floats, Indices]

PANEL: int = _native.PANEL_WIDTH
"""Points of one panel."""


@dataclass(frozen=True, eq=False)
class Panels:
    """Points in single precision around a centre, divided by a power of two."""

    X: NDArray[Any]
    panels: Singles
    start: Singles
    lift: Singles
    centre: Floats
    scale: float

    def arguments(self) -> tuple[Any, Singles, Singles, Singles]:
        """What the compiled loops take."""
        return self.X, self.panels, self.start, self.lift


def rounding(p: int) -> float:
    """Bound on the relative rounding of a product of ``p`` coordinates in single precision."""
    return 2.0 * (p + 8) * 2.0**-24


def panels(X: NDArray[Any]) -> Panels:
    """The points of a C-ordered table, ready for queries."""
    n, p = X.shape
    centre = X.mean(axis=0, dtype=np.float64)
    largest = max(
        float(np.abs(X.max(axis=0) - centre).max(initial=0.0)),
        float(np.abs(X.min(axis=0) - centre).max(initial=0.0)),
    )
    scale = 2.0 ** min(-np.ceil(np.log2(largest)), 1000.0) if largest > 0 else 1.0
    count = -(-n // PANEL)
    padded = np.zeros((count * PANEL, p), dtype=np.float32)
    np.multiply(X - centre, scale, out=padded[:n], casting="same_kind")
    square = np.full(count * PANEL, np.inf)
    square[:n] = np.einsum("ij,ij->i", padded[:n], padded[:n], dtype=np.float64)
    g = rounding(p)
    lift = np.zeros(count * PANEL, dtype=np.float32)
    lift[:n] = 2.0 * g * square[:n]
    start = ((1.0 - g) * square).astype(np.float32)
    packed = np.ascontiguousarray(padded.reshape(count, PANEL, p).transpose(0, 2, 1))
    return Panels(X, packed, start, lift, centre, scale)


def near_enough(points: Panels, Q: Floats) -> NDArray[np.bool_]:
    """Queries whose products with the points are far from overflow in single precision."""
    size = np.abs((Q - points.centre) * points.scale).max(axis=1, initial=0.0)
    return np.asarray(size < 1e12)


def nearest(
    points: Panels, Q: Floats, k: int, most: int, n_threads: int = 1
) -> tuple[Floats, Indices]:
    """The ``k`` nearest points of each query, equal distances by row.

    Where rounding leaves more than ``most`` candidates, the first number of the row is -1. Queries
    must be :func:`near_enough`.
    """
    rows, square = _queries(points, Q)
    own = (2.0 * rounding(Q.shape[1]) * square).astype(np.float32)
    distance, number = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.int64)
    _native.brute_nearest(*points.arguments(), Q, rows, own, distance, number, most, n_threads)
    return distance, number


def within(points: Panels, Q: Floats, radius: Floats, n_threads: int = 1) -> Lists:
    """Offsets, distances and rows of the points within ``radius`` of each query, nearest first.

    Queries must be :func:`near_enough`.
    """
    rows, square = _queries(points, Q)
    g = rounding(Q.shape[1])
    limit = (radius * points.scale) ** 2 * (1 + 1e-6) - square + 2.0 * g * square
    limit += 1e-6 * np.abs(limit)
    single = limit.astype(np.float32)
    lists: Lists = _native.brute_within(*points.arguments(), Q, rows, single, radius, n_threads)
    return lists


def smallest(D: NDArray[Any], k: int, n_threads: int = 1) -> tuple[Floats, Indices]:
    """The ``k`` smallest entries of every row and their columns; NaN counts as infinite."""
    value, column = np.empty((len(D), k)), np.empty((len(D), k), dtype=np.int64)
    _native.select_smallest(D, value, column, n_threads)
    return value, column


def _queries(points: Panels, Q: Floats) -> tuple[Singles, Floats]:
    """Queries times -2 in the coordinates of the points, and their squared norms there."""
    rows = ((Q - points.centre) * points.scale).astype(np.float32)
    square = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
    return np.float32(-2.0) * rows, square
