"""Eigenvectors of matrices that are symmetric about their centre too."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from margin.core.types import Floats
from margin.linalg._matrix import symmetric
from margin.linalg.factors._jitter import EPS

_SMALL = 32


def symmetric_eigen(A: ArrayLike, *, semidefinite: bool = False) -> tuple[Floats, Floats]:
    r"""Eigenvalues, rising, and eigenvectors of a symmetric matrix (linalg.11).

    A matrix with :math:`A_{ij} = A_{n-1-i,\,n-1-j}`, as every symmetric Toeplitz matrix is, has
    eigenvectors that are even or odd about the middle: two problems of half the size, a quarter of
    the work. Whether it is so is seen from the entries, up to rounding.

    Parameters
    ----------
    A : array-like of shape (n, n)
        Symmetric.
    semidefinite : bool
        Whether values that are negative by no more than rounding errors are meant to be zero.

    Returns
    -------
    values : ndarray of shape (n,)
    vectors : ndarray of shape (n, n)
        In columns.

    References
    ----------
    Cantoni and Butler (1976), Eigenvalues and eigenvectors of symmetric centrosymmetric matrices.

    Examples
    --------
    >>> values, vectors = symmetric_eigen([[2.0, 1.0], [1.0, 2.0]])
    >>> values
    array([1., 3.])
    """
    A = symmetric(A, "matrix")
    values, vectors = _halves(0.5 * (A + A[::-1, ::-1])) if _about_centre(A) else _plain(A)
    if semidefinite:
        lost = len(A) * EPS * float(np.max(np.abs(values), initial=0.0))
        values = np.where(np.abs(values) <= lost, np.maximum(values, 0.0), values)
    return values, vectors


def _about_centre(A: Floats) -> bool:
    if len(A) < _SMALL:
        return False
    slack = 8 * EPS * float(np.max(np.abs(A)))
    return bool(np.max(np.abs(A - A[::-1, ::-1])) <= slack)


def _plain(A: Floats) -> tuple[Floats, Floats]:
    if not len(A):
        return np.empty(0), np.empty((0, 0))
    values, vectors = eigh(A, check_finite=False, driver="evd")
    return values, vectors


def _halves(A: Floats) -> tuple[Floats, Floats]:
    r"""Even vectors :math:`(u, c, Ju)` and odd ones :math:`(u, 0, -Ju)`, joined in order."""
    n = len(A)
    h, odd = n // 2, n % 2
    corner, across = A[:h, :h], A[:h, : n - h - 1 : -1]
    even = np.empty((h + odd, h + odd))
    even[:h, :h] = corner + across
    if odd:
        even[h, :h] = even[:h, h] = np.sqrt(2.0) * A[:h, h]
        even[h, h] = A[h, h]
    values, vectors = np.empty(n), np.zeros((n, n))
    values[: h + odd], upper = _plain(even)
    values[h + odd :], lower = _plain(corner - across)
    vectors[:h, : h + odd], vectors[:h, h + odd :] = upper[:h], lower
    vectors[:h] *= np.sqrt(0.5)
    vectors[n - h :, : h + odd] = vectors[h - 1 :: -1, : h + odd]
    vectors[n - h :, h + odd :] = -vectors[h - 1 :: -1, h + odd :]
    if odd:
        vectors[h, : h + odd] = upper[h]
    order = np.argsort(values, kind="stable")
    return values[order], vectors[:, order]
