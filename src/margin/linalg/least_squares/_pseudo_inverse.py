"""Left inverse with a verdict on the rank."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg._matrix import matrix


def left_inverse(X: ArrayLike, *, rtol: float | None = None) -> Floats:
    r""":math:`(X^\top X)^{-1} X^\top`, or a refusal that names the dependent columns (linalg.06).

    Computed as :math:`P R^{-1} Q^\top` from the column-pivoted :math:`X P = Q R`: the normal
    equations, which square the condition number, are never formed. Where the columns are dependent
    no left inverse exists; the pseudo-inverse :func:`scipy.linalg.pinv` still does.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Matrix with independent columns.
    rtol : float, optional
        Columns whose pivot :math:`|R_{jj}|` is at most ``rtol`` times the largest count as
        dependent; ``max(n, d)`` times the machine precision when absent.

    Raises
    ------
    FitError
        The rank is below the number of columns.

    Examples
    --------
    >>> X = [[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]
    >>> (left_inverse(X) @ [1.0, 2.0, 4.0]).round(6)
    array([0.833333, 1.5     ])
    >>> left_inverse([[1.0, 2.0], [2.0, 4.0]])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    margin.core.FitError: linalg: matrix must have full column rank 2, got rank 1 ...
    """
    X = matrix(X)
    if not X.size:
        return X.T.copy()
    if rtol is None:
        rtol = max(X.shape) * float(np.finfo(np.float64).eps)
    Q, R, order = qr(X, mode="economic", pivoting=True, check_finite=False)
    pivots = np.abs(np.diagonal(R))
    rank = int(np.sum(pivots > rtol * pivots[0]))
    if rank < X.shape[1]:
        depend = ", ".join(map(str, sorted(order[rank:].tolist())))
        raise FitError(
            f"linalg: matrix must have full column rank {X.shape[1]}, got rank {rank} "
            f"(columns that depend on the others: {depend})"
        )
    inverse = np.empty(X.shape[::-1])
    inverse[order] = solve_triangular(R, Q.T, check_finite=False)
    return inverse
