"""Tables to white ones: uncorrelated columns of one length."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from margin import linalg
from margin.core.types import Floats


@dataclass(frozen=True)
class White:
    """White rows, the map that made them, and how many directions have no variance."""

    rows: Floats
    matrix: Floats
    small: int


def whitened(X: Floats, n_components: int, solver: str) -> White:
    r"""Rows of ``X``, one per feature and centred, as ``n_components`` white ones.

    :math:`Z = K X` with :math:`Z Z^\top = n I`. Directions without variance give zeros ("svd")
    or are held at the rounding of the largest ("eigh").

    Parameters
    ----------
    X : ndarray of shape (p, n)
    n_components : int
    solver : {"svd", "eigh"}
        By singular values, or by eigenvalues of :math:`X X^\top`: quicker where rows are many,
        with half the digits.

    Examples
    --------
    >>> X = np.array([[1.0, -1.0, 1.0, -1.0], [3.0, 3.0, -3.0, -3.0]])
    >>> white = whitened(X, 2, "svd")
    >>> (white.rows @ white.rows.T).round(6)
    array([[4., 0.],
           [0., 4.]])
    """
    n = X.shape[1]
    if solver == "eigh":
        values, vectors = eigh(X @ X.T)
        order = np.argsort(values)[::-1]
        values, U = values[order], vectors[:, order]
        least = 10 * np.finfo(np.float64).eps * max(float(values.max(initial=0.0)), 0.0)
        small = int(np.count_nonzero(values < least))
        size = np.sqrt(np.maximum(values, least))
    else:
        U, size, _ = linalg.svd(X)
        least = max(X.shape) * np.finfo(np.float64).eps * float(size.max(initial=0.0))
        small = int(np.count_nonzero(size <= least))
        size = np.where(size > least, size, np.inf)
    size = np.where(size > 0, size, np.inf)
    U = U * np.where(U[0] < 0, -1.0, 1.0)
    matrix = (U / size).T[:n_components] * np.sqrt(n)
    return White(matrix @ X, matrix, small)
