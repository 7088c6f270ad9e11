"""Whether matrices are those of a kernel."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh, qr

from margin.core import check
from margin.core.random import generator
from margin.kernels._base import Floats, Kernel

TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class PSDCheck:
    """The outcome of a test for positive semi-definiteness; true if nothing was found.

    Parameters
    ----------
    holds : bool
        Whether no quadratic form is below zero by more than rounding.
    eigenvalue : float
        The smallest eigenvalue, or value of a form of unit length.
    vector : ndarray of shape (n,)
        Coefficients of unit length that attain it.
    tolerance : float
        How far below zero rounding may put it.
    points : object
        The objects whose matrix it was, if the test chose them.
    """

    holds: bool
    eigenvalue: float
    vector: NDArray[np.float64]
    tolerance: float
    points: Any = None

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        verdict = "positive semi-definite" if self.holds else "NOT positive semi-definite"
        return f"PSDCheck({verdict}, smallest eigenvalue {self.eigenvalue:.6g})"


def check_psd(kernel: Kernel | ArrayLike, X: Any = None, *, tol: float = TOLERANCE) -> PSDCheck:
    r"""Smallest eigenvalue of a kernel matrix, and the coefficients that show it (kernels.22).

    A symmetric function is a kernel if and only if :math:`a^\top K a \ge 0` for every set of
    objects and all coefficients (Mercer). One set can refute it: then ``vector`` holds the ``a``.

    Parameters
    ----------
    kernel : Kernel or array-like of shape (n, n)
        A kernel, or a symmetric matrix.
    X : objects
        What the kernel is evaluated on; not used for a matrix.
    tol : float
        Rounding allowed, relative to the largest eigenvalue in size.

    Returns
    -------
    PSDCheck

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> check_psd([[1.0, 2.0], [2.0, 1.0]])
    PSDCheck(NOT positive semi-definite, smallest eigenvalue -1)
    >>> bool(check_psd(RBF(1.0), [[0.0], [0.5], [2.0]]))
    True
    """
    return _smallest(_matrix_of(kernel, X), tol)


def check_conditionally_psd(
    kernel: Kernel | ArrayLike, X: ArrayLike, *, tol: float = TOLERANCE
) -> PSDCheck:
    r"""Whether :math:`a^\top K a \ge 0` for all ``a`` orthogonal to the affine functions.

    That is :math:`\sum_i a_i = 0` and :math:`\sum_i a_i x_i = 0`: what a thin-plate spline needs,
    whose matrix is indefinite (kernels.11, kernels.22).

    Parameters
    ----------
    kernel : Kernel or array-like of shape (n, n)
        A kernel, or the symmetric matrix for the rows of ``X``.
    X : array-like of shape (n, p)
        Points; they also give the affine functions.
    tol : float
        Rounding allowed, relative to the largest eigenvalue in size.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import ThinPlate
    >>> X = np.random.default_rng(0).normal(size=(15, 2))
    >>> bool(check_psd(ThinPlate(), X)), bool(check_conditionally_psd(ThinPlate(), X))
    (False, True)
    """
    K = _matrix_of(kernel, X)
    points = np.asarray(X, dtype=np.float64)
    affine = np.column_stack([np.ones(len(points)), points])
    rank = np.linalg.matrix_rank(affine)
    basis, _, _ = qr(affine, pivoting=True)
    complement = basis[:, rank:]
    inner = _smallest(complement.T @ K @ complement, tol, scale=float(np.abs(K).max(initial=0.0)))
    return PSDCheck(inner.holds, inner.eigenvalue, complement @ inner.vector, inner.tolerance)


def quadratic_forms(matrix: ArrayLike, n: int = 100, rng: Any = None) -> Floats:
    r"""Random quadratic forms :math:`a^\top K a` with :math:`\|a\| = 1` (kernels.22).

    A single negative one refutes a kernel at the cost of a product, where all eigenvalues would be
    too dear. Their mean is the mean eigenvalue.

    Examples
    --------
    >>> bool((quadratic_forms([[2.0, 1.0], [1.0, 2.0]], rng=0) >= 1.0).all())
    True
    """
    K = _symmetric(matrix)
    a = generator(rng).normal(size=(len(K), n))
    a /= np.linalg.norm(a, axis=0)
    return np.asarray(np.einsum("ij,ij->j", a, K @ a))


def find_violation(
    kernel: Kernel,
    n_columns: int = 2,
    *,
    n_points: int = 20,
    n_trials: int = 50,
    spread: float = 2.0,
    rng: Any = None,
) -> PSDCheck:
    """Search random points for a matrix that is not positive semi-definite (kernels.22).

    Sets of points are drawn at spreads from small to large around ``spread``; the most negative
    relative eigenvalue is kept. Finding nothing proves nothing, but finding one refutes.

    Examples
    --------
    >>> from margin.kernels import RBF, Sigmoid
    >>> find_violation(RBF(1.0), rng=0).holds, find_violation(Sigmoid(1.0, -1.0), rng=0).holds
    (True, False)
    """
    draw = generator(rng)
    worst: PSDCheck | None = None
    lowest = np.inf
    for trial in range(n_trials):
        scale = spread * 10.0 ** np.linspace(-1.0, 1.0, max(n_trials, 2))[trial]
        X = scale * draw.normal(size=(n_points, n_columns))
        verdict = check_psd(kernel, X)
        relative = verdict.eigenvalue / max(verdict.tolerance, np.finfo(float).tiny)
        if worst is None or relative < lowest:
            lowest = relative
            worst = replace(verdict, points=X)
    if worst is None:
        raise check.fail("find_violation", "n_trials", "an integer of at least 1", n_trials)
    return worst


def _matrix_of(kernel: Kernel | ArrayLike, X: Any) -> NDArray[np.float64]:
    return _symmetric(kernel(X) if isinstance(kernel, Kernel) else kernel)


def _symmetric(matrix: ArrayLike) -> NDArray[np.float64]:
    K = np.asarray(matrix, dtype=np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise check.fail("check_psd", "kernel", "a kernel or a square matrix", K.shape)
    if not np.isfinite(K).all():
        raise check.fail("check_psd", "kernel", "finite everywhere", "NaN or infinity")
    scale = float(np.abs(K).max(initial=0.0))
    if not np.allclose(K, K.T, rtol=0.0, atol=1e-8 * scale):
        raise check.fail("check_psd", "kernel", "symmetric", "a matrix that is not")
    return 0.5 * (K + K.T)


def _smallest(K: NDArray[np.float64], tol: float, scale: float = 0.0) -> PSDCheck:
    if not len(K):
        return PSDCheck(True, 0.0, np.empty(0), 0.0)
    values, vectors = eigh(K)
    tolerance = tol * max(float(np.abs(values).max()), scale)
    lowest = float(values[0])
    return PSDCheck(lowest >= -tolerance, lowest, np.asarray(vectors[:, 0]), tolerance)
