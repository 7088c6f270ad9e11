"""What loops over pairs of objects fill: values, and slopes if they are asked for."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ALL = 0  # every object on the left with every object on the right
LOWER = 1  # the symmetric matrix of one set, computed below the diagonal
DIAGONAL = 2  # every object with itself, as one column


def empty_pairs(n: int, m: int, pairs: int, with_slope: bool) -> tuple[Floats, Floats | None]:
    """Arrays for the values and slopes of ``n`` by ``m`` objects."""
    shape = (n, 1 if pairs == DIAGONAL else m)
    return np.empty(shape), np.empty(shape) if with_slope else None
