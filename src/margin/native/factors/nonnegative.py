"""Non-negative least squares of many columns, or rows, with one matrix."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


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


def nonnegative_rows(gram: Floats, product: Floats, n_threads: int = 1) -> tuple[Floats, Bools]:
    r"""Rows of least :math:`\tfrac12 w G w^\top - w b^\top` over :math:`w \ge 0`, each on its own.

    Parameters
    ----------
    gram : ndarray of shape (k, k)
        Symmetric, positive definite.
    product : ndarray of shape (n, k)
    n_threads : int

    Returns
    -------
    W : ndarray of shape (n, k)
    done : ndarray of bool of shape (n,)
        Where the row is the minimum, up to rounding; elsewhere it is on the way to it.
    """
    W, done = np.empty(product.shape), np.empty(len(product), dtype=np.bool_)
    _native.nonnegative_rows(W, gram, product, done, n_threads)
    return W, done
