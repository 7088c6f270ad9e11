"""Non-negative least squares of many columns with one matrix."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


def nonnegative_passes(
    W: Floats,
    gram: Floats,
    product: Floats,
    *,
    l1: float = 0.0,
    l2: float = 0.0,
    passes: int = 1,
    n_threads: int = 1,
) -> float:
    r"""Lower a quadratic function of every column by passes of coordinate descent.

    .. math:: \tfrac12 w^\top G w - w^\top b + \lambda \sum_t w_t + \tfrac12 \mu \|w\|^2

    Passes of coordinate descent over :math:`w \ge 0`, written on ``W``; blocks of columns whose
    passes no longer move much end early.

    Parameters
    ----------
    W : ndarray of shape (k, n)
        Columns to start from; changed in place.
    gram : ndarray of shape (k, k)
        Symmetric.
    product : ndarray of shape (k, n)
    l1, l2 : float
    passes : int
        Most passes.
    n_threads : int

    Returns
    -------
    float
        Sum of the absolute projected gradient, each entry before its first change.
    """
    return float(_native.nonnegative_passes(W, gram, product, l1, l2, passes, n_threads))
