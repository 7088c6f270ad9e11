"""Distances of rows of two tables."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def block_product(x: Floats, y: Floats, n_threads: int = 1) -> float:
    r"""Sum :math:`\sum_{ij} \|x_i - x_j\|\,\|y_i - y_j\|`.

    O(n^2) time; of the distances no more than a few are there at a time.
    """
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    return _native.distance_blocks(x, y, None, None, n_threads)


def block_sums(x: Floats, y: Floats, n_threads: int = 1) -> tuple[float, Floats, Floats]:
    """The same, with the sum of the distances of every row to all others, in x and in y."""
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    x_sums, y_sums = np.empty(len(x)), np.empty(len(y))
    product = _native.distance_blocks(x, y, x_sums, y_sums, n_threads)
    return product, x_sums, y_sums
