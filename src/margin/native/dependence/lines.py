"""Distances of numbers on two lines."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Orders = NDArray[np.int64]


class LineTotals(NamedTuple):
    """Over the sums of distances of one column: their sum, and that of their squares."""

    total: float
    squares: float


def sorted_lines(x: Floats, y: Floats, n_threads: int = 1) -> _native.DistanceLines:
    """Two columns of finite numbers, each sorted once for any number of pairings.

    Numbers near the origin lose the fewest digits. O(n log n) time and O(n) memory.
    """
    return _native.DistanceLines(np.ascontiguousarray(x), np.ascontiguousarray(y), n_threads)


def totals(lines: _native.DistanceLines) -> tuple[LineTotals, LineTotals]:
    """What is the same for every pairing, of both columns."""
    x_total, x_squares, y_total, y_squares = lines.own()
    return LineTotals(x_total, x_squares), LineTotals(y_total, y_squares)


def line_products(
    lines: _native.DistanceLines, order: Orders | None = None, n_threads: int = 1
) -> tuple[float, float]:
    r"""Sums of products of distances, and of products of their sums, with ``y[order]`` for y.

    :math:`\sum_{ij} |x_i - x_j|\,|y_i - y_j|` in O(n log n), and
    :math:`\sum_i (\sum_j |x_i - x_j|) (\sum_j |y_i - y_j|)` in O(n).
    """
    return lines.products(order, n_threads)
