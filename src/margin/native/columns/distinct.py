"""Distinct integers that lie close together."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native


def distinct_integers(
    values: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Sorted distinct values and the code of each.

    ``None`` where they lie further apart than twice their number, where a sort is better.
    """
    codes, labels = np.empty(len(values), np.int64), np.empty(len(values), np.int64)
    count = _native.distinct_integers(np.ascontiguousarray(values), codes, labels)
    return None if count < 0 else (labels[:count].copy(), codes)
