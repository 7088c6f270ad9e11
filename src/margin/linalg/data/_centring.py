"""Centring of data, of Gram matrices and of squared distances."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.linalg._matrix import matrix, square


def centring_matrix(n: int) -> Floats:
    r""":math:`C_n = I - \tfrac1n 1 1^\top`, which takes off the mean (linalg.07).

    Symmetric, idempotent, :math:`C_n 1 = 0`, of rank ``n - 1``. For proofs and small cases: to
    centre data subtract the mean, to centre a Gram matrix call :func:`double_centred`.

    Examples
    --------
    >>> centring_matrix(2)
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    if n < 1:
        raise ValueError(f"linalg: n must be an integer of at least 1, got {n!r}")
    return np.eye(n) - 1.0 / n


def double_centred(K: ArrayLike) -> Floats:
    r""":math:`C_n K C_n` in :math:`O(n^2)`, without forming :math:`C_n` (linalg.07).

    If ``K`` holds scalar products of points, the result holds those of the centred points; if ``K``
    is :math:`-\tfrac12` times their squared Euclidean distances, the result is the same matrix.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Gram matrix, or any square matrix.

    Examples
    --------
    Three points on a line at 0, 1 and 5, from their squared distances alone:

    >>> import numpy as np
    >>> squared = np.array([[0.0, 1.0, 25.0], [1.0, 0.0, 16.0], [25.0, 16.0, 0.0]])
    >>> double_centred(-0.5 * squared)
    array([[ 4.,  2., -6.],
           [ 2.,  1., -3.],
           [-6., -3.,  9.]])
    """
    K = square(K, "Gram matrix")
    if not K.size:
        return K.copy()
    centred: Floats = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    return centred


def scatter_matrix(X: ArrayLike, *, centre: bool = True) -> Floats:
    r"""Scatter :math:`X^\top C_n X` of the rows of ``X``, ``d`` by ``d`` (linalg.07).

    The rows are centred before they are multiplied, so large means cost no digits; divided by
    ``n`` it is the covariance. With ``centre=False`` it is :math:`X^\top X`.

    Examples
    --------
    >>> scatter_matrix([[1.0, 0.0], [3.0, 4.0]])
    array([[2., 4.],
           [4., 8.]])
    """
    X = _rows(X, centre)
    return X.T @ X


def scalar_product_matrix(X: ArrayLike, *, centre: bool = True) -> Floats:
    r"""Scalar products :math:`C_n X X^\top C_n` of the centred rows of ``X`` (linalg.07).

    An ``n`` by ``n`` matrix. Shares its nonzero eigenvalues with the scatter matrix; the smaller
    of the two is the one to decompose.

    Examples
    --------
    >>> scalar_product_matrix([[1.0, 0.0], [3.0, 4.0]])
    array([[ 5., -5.],
           [-5.,  5.]])
    """
    X = _rows(X, centre)
    return X @ X.T


def _rows(X: ArrayLike, centre: bool) -> Floats:
    rows = matrix(X, "data matrix")
    if not centre or not len(rows):
        return rows
    # A second pass takes off what rounding left of the mean.
    once: Floats = rows - rows.mean(axis=0)
    once -= once.mean(axis=0)
    return once
