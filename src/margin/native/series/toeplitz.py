"""Symmetric Toeplitz matrices, many at a time."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class Inverted(NamedTuple):
    """First columns of the inverses, log determinants, smallest prediction errors."""

    columns: Floats
    log_det: Floats
    smallest: Floats


def inverse(rows: Floats, least: Floats, n_threads: int) -> Inverted:
    """First column of the inverse of the Toeplitz matrix of each row, by Durbin's recursion.

    Where a prediction error is not above ``least`` the recursion stops there: ``smallest`` is
    that error and the rest is unset.
    """
    n, m = rows.shape
    columns, log_det, smallest = np.zeros((n, m)), np.empty(n), np.empty(n)
    _native.toeplitz_inverse(rows, least, columns, log_det, smallest, n_threads)
    return Inverted(columns, log_det, smallest)
