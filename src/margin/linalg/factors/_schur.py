"""Matrices cut into blocks: Schur complement and block inverse."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core.types import Floats
from margin.linalg._matrix import symmetric
from margin.linalg.factors._cholesky import Cholesky, cholesky


@dataclass(frozen=True, eq=False, repr=False)
class SchurComplement:
    r"""What is left of a positive-definite matrix when one block is eliminated (linalg.12).

    For the blocks ``r`` (remaining) and ``e`` (eliminated),

    .. math:: S = A_{rr} - A_{re} A_{ee}^{-1} A_{er}, \qquad G = A_{re} A_{ee}^{-1},
              \qquad \det A = \det A_{ee} \cdot \det S.

    If ``A`` is the covariance of a Gaussian, ``S`` is the covariance of ``r`` given ``e`` and ``G``
    the regression coefficients of ``r`` on ``e``. Made by :func:`schur_complement`.

    Parameters
    ----------
    remaining, eliminated : ndarray of int
        Rows of ``A`` in each block.
    complement : ndarray of shape (r, r)
        ``S``, exactly symmetric.
    gain : ndarray of shape (r, e)
        ``G``.
    factor : Cholesky
        Factor of the eliminated block.
    """

    remaining: NDArray[np.intp]
    eliminated: NDArray[np.intp]
    complement: Floats
    gain: Floats
    factor: Cholesky

    def inverse(self) -> Floats:
        r"""Inverse of ``A``, put together from its blocks, in the order of the rows of ``A``.

        .. math:: (A^{-1})_{rr} = S^{-1}, \quad (A^{-1})_{re} = -S^{-1} G, \quad
                  (A^{-1})_{ee} = A_{ee}^{-1} + G^\top S^{-1} G.

        For the entries of an inverse (a covariance from a precision); to solve, use the factors.
        """
        r, e = self.remaining, self.eliminated
        corner = cholesky(self.complement, name="Schur complement").solve(np.eye(len(r)))
        side = corner @ self.gain
        joint = np.empty((len(r) + len(e),) * 2)
        joint[np.ix_(r, r)] = corner
        joint[np.ix_(r, e)] = -side
        joint[np.ix_(e, r)] = -side.T
        joint[np.ix_(e, e)] = self.factor.solve(np.eye(len(e))) + self.gain.T @ side
        return joint

    def __repr__(self) -> str:
        return (
            f"SchurComplement(remaining={len(self.remaining)}, eliminated={len(self.eliminated)})"
        )


def schur_complement(
    A: ArrayLike, eliminate: ArrayLike, *, name: str = "matrix"
) -> SchurComplement:
    r"""Schur complement :math:`A / A_{ee}` of a block of a positive-definite matrix (linalg.12).

    Parameters
    ----------
    A : array-like of shape (n, n)
        Symmetric matrix whose eliminated block is positive definite.
    eliminate : array-like of int or bool
        Rows (and columns) of the block to eliminate: distinct indices or a mask.
    name : str
        What the matrix is, for messages.

    Returns
    -------
    SchurComplement

    Examples
    --------
    >>> block = schur_complement([[4.0, 2.0], [2.0, 2.0]], [1])
    >>> block.complement, block.gain
    (array([[2.]]), array([[1.]]))
    >>> block.inverse()
    array([[ 0.5, -0.5],
           [-0.5,  1. ]])
    """
    A = symmetric(A, name)
    e = _rows(eliminate, len(A), name)
    r = np.setdiff1d(np.arange(len(A)), e)
    factor = cholesky(A[np.ix_(e, e)], name=f"eliminated block of the {name}")
    half = factor.half_solve(A[np.ix_(e, r)])
    # Taking off half.T @ half, symmetric by construction, keeps the complement symmetric.
    complement = A[np.ix_(r, r)] - half.T @ half
    gain = factor.half_solve(half, transpose=True).T
    return SchurComplement(r, e, (complement + complement.T) / 2, gain, factor)


def _rows(chosen: ArrayLike, n: int, name: str) -> NDArray[np.intp]:
    """Distinct row numbers from indices (negative ones count from the end) or a mask."""
    given = np.atleast_1d(np.asarray(chosen))
    if given.dtype == np.bool_ and given.shape == (n,):
        return np.flatnonzero(given)
    if not given.size:
        return np.empty(0, dtype=np.intp)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(f"linalg: block of the {name} must be indices or a mask, got {chosen!r}")
    if given.min() < -n or given.max() >= n:
        raise ValueError(f"linalg: block of the {name} must be rows below {n}, got {chosen!r}")
    rows = np.where(given < 0, given + n, given).astype(np.intp)
    if len(np.unique(rows)) < len(rows):
        raise ValueError(f"linalg: block of the {name} must name each row once, got {chosen!r}")
    return rows
