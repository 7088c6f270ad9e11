"""Non-negative least squares for many rows with one matrix, exact."""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from margin import linalg
from margin.core.types import Floats

_PASSES = 30


def nonnegative_rows(gram: Floats, product: Floats) -> Floats:
    r"""Rows :math:`w \ge 0` of least :math:`\tfrac12 w G w^\top - w b^\top`, each on its own.

    Coordinate descent guesses which entries are zero; rows that share a guess are solved together
    and kept where the conditions of optimality hold; the few others go through an active set.

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
    guess = _guess(G, B) > 0
    W, done = np.zeros_like(B), np.zeros(len(B), dtype=bool)
    keys, group = np.unique(guess, axis=0, return_inverse=True)
    for j, kept in enumerate(keys):
        rows = np.flatnonzero(group.ravel() == j)
        free = np.flatnonzero(kept)
        if len(free):
            W[np.ix_(rows, free)] = np.linalg.solve(
                G[np.ix_(free, free)], B[np.ix_(rows, free)].T
            ).T
        slope = W[rows] @ G - B[rows]
        room = 1e-12 * (1.0 + np.abs(B[rows]).max(axis=1))
        done[rows] = (W[rows].min(axis=1) >= 0) & ((slope + room[:, None] >= 0) | kept).all(axis=1)
    for i in np.flatnonzero(~done):
        W[i] = nnls(factor.lower.T, solve_triangular(factor.lower, B[i], lower=True))[0]
    return W


def _guess(G: Floats, B: Floats) -> Floats:
    W = np.asfortranarray(np.zeros_like(B))
    diagonal = np.diagonal(G)
    for _ in range(_PASSES):
        for t in range(len(G)):
            W[:, t] = np.maximum(0.0, W[:, t] + (B[:, t] - W @ G[:, t]) / diagonal[t])
    return W
