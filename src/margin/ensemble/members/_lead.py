"""How far the right class is ahead."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats


def lead(shares: ArrayLike, codes: ArrayLike) -> Floats:
    """Share of the right class minus that of the best wrong one, of each row.

    Examples
    --------
    >>> lead([[0.7, 0.2, 0.1], [0.7, 0.2, 0.1]], [0, 1])
    array([ 0.5, -0.5])
    """
    others = np.array(shares, dtype=np.float64)
    right = np.asarray(codes, dtype=np.intp)[:, None]
    own = np.take_along_axis(others, right, axis=1)[:, 0]
    np.put_along_axis(others, right, -np.inf, axis=1)
    return np.asarray(own - others.max(axis=1))
