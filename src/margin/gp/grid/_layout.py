"""The rows of a table as cells of a Cartesian grid, in any order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from margin.core.types import Floats, Places

Integers = Places

_SPARSE = 4
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Layout:
    """A grid that is the product of sets of points, each in some of the columns (gp.11).

    Parameters
    ----------
    groups : tuple of tuple of int
        Columns of each axis.
    points : tuple of ndarray of shape (m_j, columns of the axis)
        Different points along each axis, in rising order.
    cell : ndarray of shape (n,)
        Cell of every row, the last axis running fastest.
    """

    groups: tuple[tuple[int, ...], ...]
    points: tuple[Floats, ...]
    cell: Integers

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of points along each axis."""
        return tuple(map(len, self.points))

    @property
    def size(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    @cached_property
    def missing(self) -> Integers:
        """Cells without a row."""
        free = np.ones(self.size, dtype=bool)
        free[self.cell] = False
        return np.flatnonzero(free)

    def on_grid(self, columns: Floats) -> Floats:
        """Columns of all cells from those of the rows, zero where there is no row."""
        cells = np.zeros((self.size, columns.shape[1]))
        cells[self.cell] = columns
        return cells

    def __str__(self) -> str:
        return " x ".join(map(str, self.shape))


def layout(groups: tuple[tuple[int, ...], ...], X: Any, *, complete: bool = False) -> Layout | None:
    """The smallest grid that holds the rows; None where a cell has two or most have none.

    With ``complete`` the points of an axis that are missing from a regular one are filled in.

    Coordinates are equal or different as they are: rows that should share a coordinate must do so
    to the bit.

    Examples
    --------
    >>> X = np.array([[0.0, 5.0], [1.0, 7.0], [1.0, 5.0], [0.0, 7.0]])
    >>> cells = layout(((0,), (1,)), X)
    >>> cells.shape, cells.cell.tolist()
    ((2, 2), [0, 3, 2, 1])
    """
    points, where = [], []
    for columns in groups:
        table = np.ascontiguousarray(X[:, list(columns)], dtype=np.float64)
        if len(columns) == 1:
            values, inverse = np.unique(table[:, 0], return_inverse=True)
            if complete:
                values, index = completed(values)
                inverse = index[inverse]
            values = values[:, None]
        else:
            values, inverse = np.unique(table, axis=0, return_inverse=True)
        points.append(values)
        where.append(np.asarray(inverse, dtype=np.intp).ravel())
        if prod(map(len, points)) > _SPARSE * len(X):
            return None
    shape = tuple(map(len, points))
    cell = np.ravel_multi_index(tuple(where), shape).astype(np.intp)
    if np.bincount(cell).max() > 1:
        return None
    return Layout(groups, tuple(points), cell)


def completed(x: Floats) -> tuple[Floats, Integers]:
    """Rising numbers with those that are missing from a regular series, and where the old are.

    They stay as they are where they are no part of such a series, or less than half of it.

    Examples
    --------
    >>> completed(np.array([0.0, 1.0, 3.0, 4.0]))
    (array([0., 1., 2., 3., 4.]), array([0, 1, 3, 4]))
    """
    same = x, np.arange(len(x))
    if len(x) < 3:
        return same
    place = (x - x[0]) / np.diff(x).min()
    if place[-1] > 2 * len(x):
        return same
    index = np.rint(place).astype(np.intp)
    full = np.linspace(x[0], x[-1], index[-1] + 1)
    if len(full) == len(x) or not is_regular(x, full[index]):
        return same
    full[index] = x
    return full, index


def is_regular(x: Floats, even: Floats) -> bool:
    """Whether numbers are those of an even series, up to rounding."""
    return bool(np.max(np.abs(x - even)) <= 8 * _EPS * np.max(np.abs(x)))


def unfolded(columns: Floats, shape: tuple[int, ...], axis: int) -> Floats:
    """Columns on a grid as a matrix with one row for every point of an axis.

    Examples
    --------
    >>> unfolded(np.arange(6.0)[:, None], (2, 3), 1)
    array([[0., 3.],
           [1., 4.],
           [2., 5.]])
    """
    table = np.moveaxis(columns.reshape(*shape, -1), axis, 0)
    return table.reshape(shape[axis], -1)
