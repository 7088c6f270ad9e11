"""Least squares and ridge: the cheapest factorisation that is accurate enough, then proof."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse import issparse

from margin.linalg._centred import Centred, centred
from margin.linalg._gram import row_gram
from margin.linalg._sparse_ridge import sparse_ridge

Floats = NDArray[np.float64]

_SAFE_RCOND = 1e-10  # of the scaled Gram matrix: cond(X) below 1e5, where refinement is exact
_RESIDUAL_TOL = 1e-11
_MAX_REFINEMENTS = 4


@dataclass(frozen=True)
class RidgeFit:
    """Coefficients of a (penalised) least-squares problem and the evidence for them.

    Parameters
    ----------
    coef : ndarray of shape (p, k)
    intercept : ndarray of shape (k,)
    method : str
        Factorisation used and why.
    rank : int
        Numerical rank of the centred, weighted design.
    residual : float
        Largest entry of the gradient relative to the largest correlation of features and target.
    refinements : int
        Corrections made after the first solve.
    objective : float
        Half the weighted residual sum of squares plus half the penalty.
    """

    coef: Floats
    intercept: Floats
    method: str
    rank: int
    residual: float
    refinements: int
    objective: float


def ridge(
    X: Any,
    Y: Floats,
    weight: Floats | None = None,
    alpha: float = 0.0,
    *,
    intercept: bool = True,
    method: str = "auto",
    n_threads: int = 1,
) -> RidgeFit:
    r"""Minimise :math:`\tfrac12 \sum_i s_i \|y_i - W^\top x_i - b\|^2 + \tfrac\alpha2 \|W\|^2`.

    With ``alpha = 0`` and dependent columns, the solution of least norm (linear.03, linear.13).

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, p)
    Y : ndarray of shape (n, k)
    weight : ndarray of shape (n,), optional
    alpha : float
        Strength of the penalty; the intercept is never penalised.
    intercept : bool
        Whether to fit :math:`b`.
    method : {"auto", "cholesky", "svd"}
        ``"auto"`` solves the normal equations (of rows or columns, whichever are fewer) with
        iterative refinement when their condition allows, and takes the SVD otherwise.
    n_threads : int
        Threads of the compiled passes.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0], [2.0], [4.0]])
    >>> fit = ridge(X, Y)
    >>> fit.coef.ravel().round(6), fit.intercept.round(6)
    (array([1.5]), array([0.833333]))
    """
    if issparse(X):
        return RidgeFit(*sparse_ridge(X, Y, weight, alpha, intercept, n_threads))
    view = centred(X, Y, weight, intercept, n_threads)
    if method != "svd":
        fit = _by_columns(view, alpha) if X.shape[0] >= X.shape[1] else _by_rows(view, alpha)
        if fit is not None:
            return fit
        if method == "cholesky":
            raise np.linalg.LinAlgError(
                "the normal equations are singular to working precision: "
                "use method='svd' or a larger alpha"
            )
    return _by_svd(view, alpha, forced=method == "svd")


def _by_columns(view: Centred, alpha: float) -> RidgeFit | None:
    """Normal equations of the columns, scaled to unit diagonal."""
    matrix, moments = view.gram_and_moments()
    p = len(matrix)
    matrix[np.diag_indices(p)] += alpha
    scale = np.sqrt(matrix.diagonal())
    if not p or not (scale > 0).all():
        return None
    factor = _factor(matrix / np.outer(scale, scale))
    if factor is None:
        return None

    def solve(right: Floats) -> Floats:
        return np.asarray(linalg.cho_solve(factor, right / scale[:, None])) / scale[:, None]

    size = float(np.abs(moments).max(initial=0.0))
    return _refined(view, alpha, solve(moments), solve, size, "Cholesky of the normal equations")


def _by_rows(view: Centred, alpha: float) -> RidgeFit | None:
    """Dual equations, for fewer rows than columns."""
    root = view.root_weight()
    matrix = row_gram(view.X, view.x_mean)
    if view.weight is not None:
        matrix *= np.outer(root, root)
    mean_square = float(np.trace(matrix)) / max(1, len(matrix))
    target = root[:, None] * view.centred_target()
    size = float(np.sqrt(np.max(np.sum(target * (matrix @ target), axis=0), initial=0.0)))
    if view.intercept:
        # Centred rows are dependent along `root`, to which the centred target is orthogonal:
        # filling that one direction makes the matrix regular and changes nothing else.
        direction = root / np.linalg.norm(root)
        matrix += mean_square * np.outer(direction, direction)
    matrix[np.diag_indices(len(matrix))] += alpha
    factor = _factor(matrix / mean_square) if mean_square > 0 else None
    if factor is None:
        return None

    def lift(dual: Floats) -> Floats:
        return view.transposed_product(root[:, None] * dual)

    def solve(right: Floats) -> Floats:
        if alpha > 0:  # Woodbury: (G + a)^-1 r = (r - A^T (K + a)^-1 A r) / a
            inner = root[:, None] * view.product(right)
            return (right - lift(linalg.cho_solve(factor, inner) / mean_square)) / alpha
        inner = linalg.cho_solve(factor, root[:, None] * view.product(right))
        return lift(linalg.cho_solve(factor, inner)) / mean_square**2

    coef = lift(linalg.cho_solve(factor, target) / mean_square)
    return _refined(view, alpha, coef, solve, size, "Cholesky of the dual equations (n < p)")


def _factor(matrix: Floats) -> tuple[Floats, bool] | None:
    """Cholesky factor if the matrix is safely regular, else nothing."""
    norm = float(np.abs(matrix).sum(axis=0).max())
    lower, info = linalg.lapack.dpotrf(matrix, lower=1, overwrite_a=1)
    if info != 0:
        return None
    rcond, info = linalg.lapack.dpocon(lower, norm, uplo="L")
    return (lower, True) if info == 0 and rcond > _SAFE_RCOND else None


def _refined(
    view: Centred, alpha: float, coef: Floats, solve: Any, size: float, method: str
) -> RidgeFit:
    """Iterative refinement until the gradient vanishes; the last gradient is the certificate.

    ``size`` is the scale of the correlations of features and target.
    """
    size = max(size, np.finfo(float).tiny)
    best = (np.inf, coef, 0.0)
    for step in range(_MAX_REFINEMENTS + 1):
        objective, gradient = view.objective_and_gradient(coef, alpha)
        residual = float(np.abs(gradient).max(initial=0.0)) / size
        if residual >= best[0]:
            break
        best = (residual, coef, objective)
        if residual <= _RESIDUAL_TOL or step == _MAX_REFINEMENTS:
            break
        coef = coef - solve(gradient)
    residual, coef, objective = best
    rank = min(len(coef), view.n_effective)
    return RidgeFit(coef, view.intercept_of(coef), method, rank, residual, step, objective)


def _by_svd(view: Centred, alpha: float, *, forced: bool) -> RidgeFit:
    """Singular values of the (triangular factor of the) centred design."""
    design, target = view.dense()
    n, p = design.shape
    if n > 2 * p:
        stacked = linalg.qr(
            np.hstack([design, target]), mode="r", overwrite_a=True, check_finite=False
        )[0][: p + target.shape[1]]
        design, target = stacked[:p, :p], stacked[:p, p:]
    left, values, right = linalg.svd(design, full_matrices=False, check_finite=False)
    cutoff = values.max(initial=0.0) * max(n, p) * np.finfo(float).eps
    keep = values > cutoff
    rank = int(keep.sum())
    shrunk = values[keep] / (values[keep] ** 2 + alpha)
    coef = np.asarray(right[keep].T @ (shrunk[:, None] * (left[:, keep].T @ target)))
    objective, gradient = view.objective_and_gradient(coef, alpha)
    moments = view.transposed_product(view.weighted(view.centred_target()))
    size = max(float(np.abs(moments).max(initial=0.0)), np.finfo(float).tiny)
    residual = float(np.abs(gradient).max(initial=0.0)) / size
    why = "as asked" if forced else f"rank {rank} of {min(view.X.shape)}"
    return RidgeFit(coef, view.intercept_of(coef), f"SVD ({why})", rank, residual, 0, objective)
