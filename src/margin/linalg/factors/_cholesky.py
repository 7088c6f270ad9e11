"""Cholesky factorisation with the one jitter policy of the library."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import blas, eigvalsh, lapack

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg._matrix import right_side, symmetric
from margin.linalg.factors._jitter import EPS, jitters


@dataclass(frozen=True, eq=False, repr=False)
class Cholesky:
    r"""The factor of a positive-definite matrix: :math:`A + \epsilon I = L L^\top` (linalg.08).

    Made by :func:`cholesky`. Solves, determinants and quadratic forms come from ``L``; the
    inverse is never formed.

    Parameters
    ----------
    lower : ndarray of shape (n, n)
        Lower-triangular ``L``, zeros above the diagonal; best in Fortran order.
    jitter : float
        What was added to every diagonal entry, 0.0 if the matrix was factored as it came.
    name : str
        What the matrix is, for messages.

    Examples
    --------
    >>> import numpy as np
    >>> factor = cholesky([[4.0, 2.0], [2.0, 5.0]])
    >>> factor.solve([8.0, 12.0])
    array([1., 2.])
    >>> round(float(np.exp(factor.log_det)), 12)
    16.0
    >>> factor.inverse_diagonal()
    array([0.3125, 0.25  ])
    """

    lower: Floats
    jitter: float = 0.0
    name: str = "matrix"

    def solve(self, b: ArrayLike) -> Floats:
        r"""Solution of :math:`L L^\top x = b`, for one right-hand side or a matrix of them."""
        return self.half_solve(self.half_solve(b), transpose=True)

    def half_solve(self, b: ArrayLike, *, transpose: bool = False) -> Floats:
        r""":math:`L^{-1} b`, or :math:`L^{-\top} b` with ``transpose``.

        If :math:`b \sim N(0, A)` the first is white noise; if ``b`` is white noise the second
        has covariance :math:`A^{-1}`.
        """
        b = right_side(b, len(self.lower))
        if not b.size:
            return b.copy()
        # LAPACK is quick for one column, BLAS for many, SciPy's face slow for small systems.
        if b.ndim == 1:
            return np.asarray(lapack.dtrtrs(self.lower, b, lower=1, trans=int(transpose))[0])
        return np.asarray(blas.dtrsm(1.0, self.lower, b, lower=1, trans_a=int(transpose)))

    def product(self, x: ArrayLike) -> Floats:
        r""":math:`L L^\top x`, the matrix itself acting on a vector or on columns."""
        return self.lower @ (self.lower.T @ right_side(x, len(self.lower)))

    def quadratic(self, b: ArrayLike) -> Floats:
        r""":math:`b^\top A^{-1} b`, one value for each column of ``b``."""
        half = self.half_solve(b)
        return np.asarray(np.einsum("i...,i...->...", half, half))

    @property
    def log_det(self) -> float:
        r""":math:`\log\det A = 2 \sum_i \log L_{ii}`."""
        return 2.0 * float(np.sum(np.log(np.diagonal(self.lower))))

    def inverse_diagonal(self) -> Floats:
        r"""Diagonal of :math:`A^{-1}`: the squared column norms of :math:`L^{-1}`."""
        if not self.lower.size:
            return np.empty(0)
        inverse = self.inverse_lower()
        return np.asarray(np.einsum("ij,ij->j", inverse, inverse))

    def inverse_lower(self) -> Floats:
        r""":math:`L^{-1}`, lower-triangular like ``L``."""
        if not self.lower.size:
            return np.empty((0, 0))
        return np.asarray(lapack.dtrtri(self.lower, lower=1)[0])

    @property
    def repair(self) -> str:
        """What was done to the matrix, as a text for ``FitReport.repairs``; empty if nothing."""
        if not self.jitter:
            return ""
        return f"added {self.jitter:.3g} to the diagonal of the {self.name} to make it definite"

    def __repr__(self) -> str:
        return f"Cholesky({self.name}, n={len(self.lower)}, jitter={self.jitter:.3g})"


def cholesky(A: ArrayLike, *, name: str = "matrix", max_jitter: float = 1e-6) -> Cholesky:
    r"""Factor :math:`A = L L^\top` of a symmetric positive-definite matrix (linalg.08).

    A matrix that is positive semi-definite up to rounding is mended by adding
    :math:`\epsilon I`; :math:`\epsilon` starts just above the rounding errors, at
    :math:`10\,n\,\mathrm{eps}` times the mean diagonal, and grows tenfold up to ``max_jitter``
    times the mean diagonal. A pivot :math:`L_{ii}^2 \le n\,\mathrm{eps}\,A_{ii}` holds nothing but
    rounding error and counts as a failure, so that a singular matrix is mended on every machine
    instead of passing by luck. Nothing is silent: the amount is in ``jitter`` and ``repair``.

    Parameters
    ----------
    A : array-like of shape (n, n)
        Symmetric matrix.
    name : str
        What the matrix is, as it should read in an error: ``"kernel matrix"``.
    max_jitter : float
        Largest repair relative to the mean of the diagonal; 0 forbids repairs.

    Returns
    -------
    Cholesky

    Raises
    ------
    ValueError
        ``A`` is not square, not symmetric or not finite.
    FitError
        ``A`` is not positive definite even with the largest repair; the message has the name
        and the smallest eigenvalue.

    Notes
    -----
    :math:`n^3/3` multiplications per attempt, one copy of ``A``.

    Examples
    --------
    >>> cholesky([[1.0, 1.0], [1.0, 1.0]], name="Gram matrix").repair
    'added 4.44e-15 to the diagonal of the Gram matrix to make it definite'
    >>> cholesky([[1.0, 2.0], [2.0, 1.0]], name="covariance")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    margin.core.FitError: linalg: covariance must be positive definite, ...
    """
    A = symmetric(A, name)
    diagonal = np.diagonal(A)
    scale = float(np.add.reduce(np.abs(diagonal))) / len(A) if len(A) else 1.0
    for jitter in jitters(len(A), scale, max_jitter):
        lower = _factor(A, jitter, len(A) * EPS * (diagonal + jitter))
        if lower is not None:
            return Cholesky(lower, jitter, name)
        if np.min(diagonal) < -max_jitter * scale:
            break
    raise FitError(_refusal(A, name, max_jitter * scale))


def _factor(A: Floats, jitter: float, noise: Floats) -> Floats | None:
    """Lower factor of ``A + jitter I``, or None if a pivot does not rise above its noise."""
    if not A.size:
        return np.empty((0, 0))
    # The transpose of a C-ordered symmetric matrix is what LAPACK wants: a straight copy.
    work = np.array(A.T, order="F")
    if jitter:
        work[np.diag_indices_from(work)] += jitter
    lower, info = lapack.dpotrf(work, lower=1, clean=1, overwrite_a=1)
    if info or (np.diagonal(lower) ** 2 <= noise).any():
        return None
    factor: Floats = lower
    return factor


def _refusal(A: Floats, name: str, largest: float) -> str:
    smallest = float(eigvalsh(A, subset_by_index=[0, 0], check_finite=False)[0])
    return (
        f"linalg: {name} must be positive definite, got smallest eigenvalue {smallest:.3g} "
        f"({len(A)} rows, jitter tried up to {largest:.3g})"
    )
