"""Non-negative least squares for many rows with one matrix, exact."""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from margin import linalg
from margin.core import threads
from margin.core.types import Floats
from margin.native.factors import nonnegative as native


def nonnegative_rows(gram: Floats, product: Floats) -> Floats:
    r"""Rows :math:`w \ge 0` of least :math:`\tfrac12 w G w^\top - w b^\top`, each on its own.

    Coordinate descent until nothing moves, or until a solve within its positive entries is optimal;
    the few rows where neither comes about go through an active set.

    Parameters
    ----------
    gram : ndarray of shape (k, k)
        Positive semi-definite; mended by the jitter of :func:`margin.linalg.cholesky`.
    product : ndarray of shape (n, k)

    Examples
    --------
    >>> nonnegative_rows(np.eye(2), np.array([[1.0, -1.0]]))
    array([[1., 0.]])
    """
    scale = float(np.abs(np.diagonal(gram)).max(initial=0.0))
    if scale == 0.0:
        return np.zeros_like(product)
    factor = linalg.cholesky(gram / scale, name="Gram matrix of the components")
    G, B = factor.lower @ factor.lower.T, product / scale
    W, done = native.nonnegative_rows(G, np.ascontiguousarray(B), threads.count(None))
    for i in np.flatnonzero(~done):
        W[i] = nnls(factor.lower.T, solve_triangular(factor.lower, B[i], lower=True))[0]
    return W
