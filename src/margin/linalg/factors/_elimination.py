"""Gaussian elimination of a general square matrix."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from margin.core import FitError, check
from margin.core.types import Floats, Places
from margin.linalg._matrix import right_side


@dataclass(frozen=True, eq=False, repr=False)
class Elimination:
    r"""The factors :math:`A_{\pi} = L U` of a square matrix with its rows reordered (linalg.08).

    Made by :func:`gaussian_elimination`: row by row, multiples of the pivot row are taken off those
    below, each time after the largest entry of the column was brought up. ``L`` holds the
    multiples, ``U`` what is left. Solves and determinants come from the factors; the inverse is
    never formed.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        :math:`A`.
    packed : ndarray of shape (n, n)
        ``U`` on and above the diagonal, ``L`` without its ones below.
    pivots : ndarray of int, shape (n,)
        With which row each row was exchanged, as LAPACK counts them, from zero.
    name : str
        What the matrix is, for messages.

    Examples
    --------
    >>> import numpy as np
    >>> factor = gaussian_elimination([[0.0, 2.0], [4.0, 1.0]])
    >>> factor.solve([2.0, 9.0])
    array([2., 1.])
    >>> factor.sign, round(float(np.exp(factor.log_abs_det)), 12)
    (-1.0, 8.0)
    """

    matrix: Floats
    packed: Floats
    pivots: Places
    name: str = "matrix"

    @property
    def lower(self) -> Floats:
        """``L``, ones on its diagonal."""
        return np.tril(self.packed, -1) + np.eye(len(self.packed))

    @property
    def upper(self) -> Floats:
        """``U``."""
        return np.triu(self.packed)

    @property
    def order(self) -> Places:
        r"""The rows :math:`\pi` of the matrix in the order of the factors."""
        order = np.arange(len(self.pivots))
        for k, other in enumerate(self.pivots):
            order[k], order[other] = order[other], order[k]
        return order

    def solve(self, b: ArrayLike, *, transpose: bool = False) -> Floats:
        r"""Solution of :math:`A x = b`, or of :math:`A^\top x = b`, refined once.

        For one right-hand side or a matrix of them. The correction by the residual makes the
        answer exact for a matrix that is as near to ``A`` as rounding allows.
        """
        b = right_side(b, len(self.packed))
        if not b.size:
            return b.copy()
        matrix = self.matrix.T if transpose else self.matrix
        x = self._substituted(b, transpose)
        return x + self._substituted(b - matrix @ x, transpose)

    def _substituted(self, b: Floats, transpose: bool) -> Floats:
        return np.asarray(lapack.dgetrs(self.packed, self.pivots, b, trans=int(transpose))[0])

    @property
    def sign(self) -> float:
        """Sign of the determinant."""
        swaps = np.count_nonzero(self.pivots != np.arange(len(self.pivots)))
        negative = np.count_nonzero(np.diagonal(self.packed) < 0)
        return -1.0 if (swaps + negative) % 2 else 1.0

    @property
    def log_abs_det(self) -> float:
        r""":math:`\log |\det A|`."""
        return float(np.sum(np.log(np.abs(np.diagonal(self.packed)))))

    @property
    def reciprocal_condition(self) -> float:
        """Estimate of one over the condition number, in the 1-norm: digits are lost below it."""
        if not self.packed.size:
            return 1.0
        norm = float(np.abs(self.matrix).sum(axis=0).max())
        return float(lapack.dgecon(self.packed, norm)[0])

    def __repr__(self) -> str:
        return f"Elimination({self.name}, n={len(self.packed)})"


def gaussian_elimination(A: ArrayLike, *, name: str = "matrix") -> Elimination:
    r"""Factor a square matrix by Gaussian elimination with partial pivoting (linalg.08).

    For symmetric positive-definite matrices :func:`cholesky` takes half the time and mends
    semi-definite ones.

    Parameters
    ----------
    A : array-like of shape (n, n)
    name : str
        What the matrix is, for messages.

    Returns
    -------
    Elimination

    Raises
    ------
    FitError
        If a pivot is zero: the matrix is singular.

    Notes
    -----
    :math:`\tfrac23 n^3` operations; :math:`2 n^2` per right-hand side.

    Examples
    --------
    >>> gaussian_elimination([[1.0, 2.0], [2.0, 4.0]], name="design")
    Traceback (most recent call last):
    margin.core.FitError: the design is singular: no pivot is left in column 1
    """
    matrix = np.array(A, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise check.fail("gaussian_elimination", "A", "a square matrix", matrix.shape)
    if not np.isfinite(matrix).all():
        raise check.fail("gaussian_elimination", "A", "finite everywhere", "NaN or infinity")
    if not matrix.size:
        return Elimination(matrix, matrix, np.empty(0, dtype=np.intp), name)
    packed, pivots, stopped = lapack.dgetrf(matrix)
    if stopped > 0:
        raise FitError(f"the {name} is singular: no pivot is left in column {stopped - 1}")
    return Elimination(matrix, packed, np.asarray(pivots), name)
