"""Passes of k-means: labels, distances and sums of a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Labels = NDArray[np.int32]

TILE: int = _native.CENTRE_TILE
"""Rows of one tile."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with the frame of their single-precision copies, made once and passed over often."""

    X: NDArray[Any]
    weight: Floats | None
    middle: Floats
    scale: float
    tiles: NDArray[np.float32] | None = None
    norms: Floats | None = None


class Pass(NamedTuple):
    """What a pass found.

    Parameters
    ----------
    label, square : ndarray of shape (n,)
        The nearest centre and the squared distance to it.
    sums, mass : ndarray of shape (k, p), (k,)
        Weighted sums of the rows of every label, and their weights.
    inertia : float
        Weighted sum of the squared distances.
    changed, searched : int
        Rows with another label than before, and rows compared with all centres.
    """

    label: Labels
    square: Floats
    sums: Floats
    mass: Floats
    inertia: float
    changed: int
    searched: int


def table(
    X: NDArray[Any], weight: Floats | None = None, *, packed: bool = False, n_threads: int = 1
) -> Table:
    """Prepare a C-ordered table; ``packed`` for many passes over all rows."""
    middle = X.mean(axis=0, dtype=np.float64)
    largest = max(
        float(np.abs(X.max(axis=0) - middle).max(initial=0.0)),
        float(np.abs(X.min(axis=0) - middle).max(initial=0.0)),
    )
    scale = _scale(largest)
    rows = Table(X, weight, middle, scale)
    return in_tiles(rows, n_threads) if packed else rows


def in_tiles(rows: Table, n_threads: int = 1) -> Table:
    """The table with its single-precision copies, for many passes over all rows."""
    if rows.tiles is not None:
        return rows
    n, p = rows.X.shape
    count = -(-n // TILE)
    tiles, norms = np.empty((count, p, TILE), np.float32), np.zeros(count * TILE)
    _native.pack_tiles(rows.X, rows.middle, rows.scale, tiles, norms, n_threads)
    return Table(rows.X, rows.weight, rows.middle, rows.scale, tiles, norms)


def table_near(X: NDArray[Any], centres: Floats, weight: Floats | None = None) -> Table:
    """Prepare a C-ordered table for a pass over these centres, without a look at its rows.

    Rows far from all centres are compared in double precision.
    """
    return Table(X, weight, *_frame(centres))


def nearest_labels(X: NDArray[Any], centres: Floats, n_threads: int = 1) -> Labels:
    """Label every row of a C-ordered table by its nearest centre, the first among equals.

    The rows are not looked at before: those far from all centres are compared in double precision.
    """
    middle, scale = _frame(centres)
    label = np.full(len(X), -1, dtype=np.int32)
    _native.nearest_labels(X, middle, scale, centres, label, n_threads)
    return label


def _frame(centres: Floats) -> tuple[Floats, float]:
    with np.errstate(over="ignore", invalid="ignore"):  # then every row is compared exactly
        middle = np.add.reduce(centres, 0) / len(centres)
        largest = np.maximum.reduce(np.abs(centres - middle), axis=None, initial=0.0)
    return middle, _scale(float(largest))


def _scale(largest: float) -> float:
    """The power of two that brings a number below one."""
    usable = 0 < largest < math.inf
    return 2.0 ** max(-1000, min(1000, -math.ceil(math.log2(largest)))) if usable else 1.0


def centre_pass(
    rows: Table,
    centres: Floats,
    label: Labels | None = None,
    *,
    lower: Floats | None = None,
    half: Floats | None = None,
    move: Floats | None = None,
    n_threads: int = 1,
) -> Pass:
    """Label every row by its nearest centre, the first among equals, and sum the rows of each.

    Parameters
    ----------
    rows : Table
    centres : ndarray of shape (k, p)
    label : ndarray of shape (n,), optional
        Labels before, left as they are.
    lower : ndarray of shape (n,), optional
        Bound on the distance to all centres but the own; brought up to date in place.
    half, move : ndarray of shape (k,), optional
        Half the distance from a centre to the nearest other, and how far any other centre has
        moved: rows whose bounds tell their label are not compared with other centres.
    n_threads : int
        The answer does not depend on it.
    """
    (n, p), k = rows.X.shape, len(centres)
    new = np.full(n, -1, dtype=np.int32) if label is None else label.copy()
    square, sums, mass = np.empty(n), np.empty((k, p)), np.empty(k)
    inertia, changed, searched = _native.centre_pass(
        rows.X,
        rows.weight,
        rows.tiles,
        rows.norms,
        rows.middle,
        rows.scale,
        centres,
        new,
        square,
        lower,
        half,
        move,
        sums,
        mass,
        n_threads,
    )
    return Pass(new, square, sums, mass, inertia, changed, searched)


def elkan_labels(
    X: NDArray[Any],
    centres: Floats,
    between: Floats,
    move: Floats,
    label: Labels,
    lower: Floats,
    n_threads: int = 1,
) -> int:
    """Bring labels and bounds on the distances to all centres up to date; rows that changed.

    ``label`` holds -1 before the first pass. Both arrays are written to.
    """
    return int(_native.elkan_labels(X, centres, between, move, label, lower, n_threads))


def nearer(X: NDArray[Any], point: Floats, before: Floats, n_threads: int = 1) -> Floats:
    """The least of ``before`` and the squared distance to a point, for every row."""
    after = np.empty(len(X))
    _native.nearer(X, point, before, after, n_threads)
    return after
