"""The sum of all numbers of an array."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native


def table_sum(values: NDArray[Any], n_threads: int) -> float:
    """The sum of a contiguous array in double precision: finite only where each number is."""
    flat = values.reshape(-1, order="A") if values.flags.forc else np.ravel(values)
    return float(_native.table_sum(flat, n_threads))
