"""Sums over all pairs of points."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def rising_pairs(a: Floats, b: Floats) -> float:
    """Sum of ``(a[j] - a[i]) * (b[j] - b[i])`` over all ``i < j`` with ``b[i] <= b[j]``.

    By one merge sort, in O(n log n) time. Points near the origin lose the fewest digits.
    """
    return float(_native.rising_pairs(np.ascontiguousarray(a), np.ascontiguousarray(b)))
