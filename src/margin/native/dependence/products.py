"""Products of features of rows."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def pair_squares(first: Floats, second: Floats, n_threads: int = 1) -> float:
    r"""Sum of squares of :math:`(A^\top A) \circ (B^\top B)`, which is never there itself.

    Parameters
    ----------
    first, second : ndarray of shape (n_features, n_rows)
    n_threads : int

    Notes
    -----
    O(n p^2 q^2) time for p and q features.
    """
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    return _native.pair_squares(first, second, n_threads)
