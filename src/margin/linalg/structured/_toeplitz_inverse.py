"""Inverses of symmetric Toeplitz matrices, through their first columns."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft, next_fast_len, rfft

from margin.core import FitError, threads
from margin.core.types import Floats
from margin.linalg._matrix import matrix
from margin.linalg.factors._jitter import EPS, jitters
from margin.native.series import toeplitz

_TRUSTED = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class ToeplitzInverse:
    r"""Inverses of positive-definite Toeplitz matrices :math:`T_{ij} = t_{|i-j|}` (linalg.13).

    The first column :math:`x` of the inverse says everything (Gohberg and Semencul): with the
    lower-triangular Toeplitz matrices :math:`L` of :math:`x` and :math:`M` of
    :math:`(0, x_{n-1}, \dots, x_1)`,

    .. math:: T^{-1} = \frac1{x_0} (L L^\top - M M^\top),

    so that products with it are convolutions, :math:`O(n \log n)` by Fourier transforms; a step of
    refinement restores the digits that large entries cost. Made by :func:`toeplitz_inverse`.

    Parameters
    ----------
    rows : ndarray of shape (p, n)
        First row of every matrix, jitter included.
    columns : ndarray of shape (p, n)
        First column of every inverse.
    log_det : ndarray of shape (p,)
        Log determinant of every matrix.
    jitter : float
        What was added to the diagonals.
    """

    rows: Floats
    columns: Floats
    log_det: Floats
    jitter: float = 0.0

    @cached_property
    def _length(self) -> int:
        return int(next_fast_len(2 * self.rows.shape[1] - 1, real=True))

    def _transform(self, Y: Floats) -> NDArray[np.complex128]:
        return np.asarray(rfft(Y, self._length, axis=-1))

    def _values(self, Y: NDArray[np.complex128]) -> Floats:
        return np.asarray(irfft(Y, self._length, axis=-1)[..., : self.rows.shape[1]])

    @cached_property
    def _circulant(self) -> NDArray[np.complex128]:
        """Eigenvalues of circulant matrices whose corners are the matrices."""
        n, length = self.rows.shape[1], self._length
        ring = np.zeros((len(self.rows), length))
        ring[:, :n] = self.rows
        ring[:, length - n + 1 :] = self.rows[:, :0:-1]
        return self._transform(ring)[:, None]

    @cached_property
    def _triangles(self) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        other = np.zeros_like(self.columns)
        other[:, 1:] = self.columns[:, :0:-1]
        return self._transform(self.columns)[:, None], self._transform(other)[:, None]

    def product(self, Y: Floats) -> Floats:
        """The matrices times vectors, of shape (p, k, n)."""
        return self._values(self._circulant * self._transform(Y))

    def solve(self, Y: Floats) -> Floats:
        """Solutions for right-hand sides of shape (p, k, n)."""
        x = self._once(Y)
        return x + self._once(Y - self.product(x))

    def quadratic(self, Y: Floats) -> Floats:
        r""":math:`y^\top T^{-1} y` for vectors of shape (p, k, n), of shape (p, k).

        As :math:`2 y^\top x - x^\top T x` at an approximate solution: errors enter squared.
        """
        x = self._once(Y)
        return np.asarray(np.einsum("pkn,pkn->pk", x, 2.0 * Y - self.product(x)))

    def _once(self, Y: Floats) -> Floats:
        (lower, other), seen = self._triangles, self._transform(Y)
        left = self._transform(self._values(lower.conj() * seen))
        right = self._transform(self._values(other.conj() * seen))
        return self._values(lower * left - other * right) / self.columns[:, :1, None]

    def inverse_diagonal(self) -> Floats:
        """Diagonals of the inverses, of shape (p, n)."""
        x = self.columns
        steps = x * x
        steps[:, 1:] -= x[:, :0:-1] ** 2
        return np.asarray(np.cumsum(steps, axis=1) / x[:, :1])

    def diagonal_sums(self) -> Floats:
        r"""Sums :math:`\sum_i (T^{-1})_{i,i+k}` along all diagonals ``k``, of shape (p, n).

        These are :math:`\tfrac1{x_0} \sum_l (n - k - 2l)\, x_l x_{l+k}`; with them the trace of
        the inverse times any other Toeplitz matrix is a scalar product.
        """
        n = self.rows.shape[1]
        lower = self._transform(self.columns)
        weighted = self._transform(self.columns * np.arange(n))
        plain = self._values(lower.conj() * lower)
        sums = (n - np.arange(n)) * plain - 2.0 * self._values(weighted.conj() * lower)
        return np.asarray(sums / self.columns[:, :1])

    def backward_error(self) -> float:
        r"""Largest :math:`\|b - T x\| / (\|T\| \|x\| + \|b\|)` of one solve with each inverse.

        Where the inverse has huge entries of both signs their differences mean nothing, and this
        says so.
        """
        n = self.rows.shape[1]
        b = np.broadcast_to(np.cos(np.arange(n) ** 2.0), (len(self.rows), 1, n))
        with np.errstate(all="ignore"):
            x = self.solve(b)
            rest = np.abs(b - self.product(x)).max(axis=2)
            size = 2.0 * np.abs(self.rows).sum(axis=1, keepdims=True) * np.abs(x).max(axis=2) + 1.0
            error = rest / size
        return float(np.max(np.where(np.isfinite(error), error, np.inf), initial=0.0))

    @property
    def repair(self) -> str:
        """What was done to the matrices, as a text for ``FitReport.repairs``; empty if nothing."""
        if not self.jitter:
            return ""
        return f"added {self.jitter:.3g} to the diagonal of the Toeplitz matrix to make it definite"


def toeplitz_inverse(rows: ArrayLike, *, max_jitter: float = 1e-6) -> ToeplitzInverse:
    r"""Invert symmetric positive-definite Toeplitz matrices by their first rows (linalg.13).

    Durbin's recursion in compiled code, :math:`O(n^2)` time and :math:`O(n)` memory for each. The
    policy for a matrix that is singular up to rounding is that of :func:`cholesky`.

    Parameters
    ----------
    rows : array-like of shape (p, n)
        One first row per matrix.
    max_jitter : float
        Largest repair relative to the largest diagonal.

    Raises
    ------
    FitError
        A matrix is not positive definite even with the largest repair.

    References
    ----------
    Gohberg and Semencul (1972), On the inversion of finite Toeplitz matrices and their continuous
    analogs.

    Examples
    --------
    >>> import numpy as np
    >>> inverse = toeplitz_inverse([[2.0, 1.0]])
    >>> inverse.solve(np.array([[[3.0, 3.0]]])).round(12)
    array([[[1., 1.]]])
    >>> float(np.exp(inverse.log_det[0]).round(12)), inverse.inverse_diagonal().round(6)
    (3.0, array([[0.666667, 0.666667]]))
    """
    rows = np.array(matrix(rows, "rows"), order="C")
    p, n = rows.shape
    if not n:
        raise ValueError("linalg: rows must have at least 1 entry, got none")
    scale = float(np.max(rows[:, 0], initial=0.0))
    diagonal, lost = rows[:, 0].copy(), n * EPS * scale
    least = np.inf
    for jitter in jitters(n, scale, max_jitter):
        rows[:, 0] = diagonal + jitter
        solved = toeplitz.inverse(rows, np.full(p, lost), threads.count(None))
        least = float(np.min(solved.smallest, initial=np.inf))
        if least > lost:
            inverse = ToeplitzInverse(rows, solved.columns, solved.log_det, jitter)
            if inverse.backward_error() <= _TRUSTED:
                return inverse
    raise FitError(
        "linalg: Toeplitz matrix must be positive definite, got prediction error "
        f"{least:.3g} ({n} rows, jitter tried up to {max_jitter * scale:.3g})"
    )
