"""Mahalanobis distance without the inverse of the covariance."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from margin.core.types import Floats
from margin.linalg._matrix import matrix
from margin.linalg.factors._cholesky import Cholesky, cholesky


def mahalanobis(X: ArrayLike, Z: ArrayLike, covariance: ArrayLike | Cholesky) -> Floats:
    r"""Distances :math:`\sqrt{(x - z)^\top \Sigma^{-1} (x - z)}` of all pairs of rows (linalg.17).

    Both sides are whitened by :math:`L^{-1}`, :math:`\Sigma = L L^\top`, and compared as they are;
    :func:`scipy.spatial.distance.cdist` would want the inverse. Unchanged by any invertible affine
    map of the data; for Gaussian rows and their mean the square is :math:`\chi^2_d` distributed.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    Z : array-like of shape (m, d) or (d,)
        Other points, or one centre such as the mean.
    covariance : array-like of shape (d, d) or Cholesky
        :math:`\Sigma`, or its factor.

    Returns
    -------
    ndarray of shape (n, m), or (n,) for one centre

    Examples
    --------
    >>> import numpy as np
    >>> mahalanobis([[3.0, 4.0]], [0.0, 0.0], np.diag([1.0, 4.0])).round(6)
    array([3.605551])
    """
    X, one = matrix(X, "X"), np.ndim(Z) == 1
    Z = matrix(np.atleast_2d(np.asarray(Z)), "Z")
    factor = covariance if isinstance(covariance, Cholesky) else _factored(covariance)
    # A common shift changes no difference and keeps the digits of points far from the origin.
    shift = Z[0] if len(Z) else np.zeros(Z.shape[1])
    distances: Floats = cdist(
        factor.half_solve((X - shift).T).T, factor.half_solve((Z - shift).T).T
    )
    return distances[:, 0] if one else distances


def _factored(covariance: ArrayLike) -> Cholesky:
    return cholesky(covariance, name="covariance")
