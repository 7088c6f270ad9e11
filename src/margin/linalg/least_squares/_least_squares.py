"""Least squares and ridge: the cheapest factorisation that is accurate enough, then proof."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse import issparse

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg.data._centred import Centred, centred, centred_with_products
from margin.linalg.data._gram import row_gram
from margin.linalg.least_squares._sparse_ridge import sparse_ridge

_SAFE_RCOND = 1e-10  # of the scaled Gram matrix: cond(X) below 1e5, where refinement is exact
_COEF_TOL = 1e-11
_LEAST_CORRELATION = 1e-6
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
        Largest entry of the gradient relative to the largest moment of a feature with the target
        (or a millionth of the product of their norms, where rounding decides).
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
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused by name
        return _solved(X, Y, weight, alpha, intercept, method, n_threads)


def _solved(
    X: NDArray[Any],
    Y: Floats,
    weight: Floats | None,
    alpha: float,
    intercept: bool,
    method: str,
    n_threads: int,
) -> RidgeFit:
    data = (X, Y, weight, intercept, n_threads)
    if method == "svd":
        return _by_svd(centred(*data), alpha, forced=True)
    if X.shape[0] >= X.shape[1]:
        view, matrix, moments = centred_with_products(*data)
        fit = _by_columns(view, matrix, moments, alpha)
    else:
        view = centred(*data)
        fit = _by_rows(view, alpha)
    if fit is None and method == "cholesky":
        raise np.linalg.LinAlgError(
            "the normal equations are singular to working precision: "
            "use method='svd' or a larger alpha"
        )
    return _by_svd(view, alpha, forced=False) if fit is None else fit


def _by_columns(view: Centred, matrix: Floats, moments: Floats, alpha: float) -> RidgeFit | None:
    """Normal equations of the columns, scaled to unit diagonal."""
    p = len(matrix)
    norm = np.sqrt(np.trace(matrix))
    constant = matrix.diagonal() == 0  # their least-norm coefficients are zero
    if moments[constant].any():  # not constant: squares so small that they vanish
        return None
    matrix[np.diag_indices(p)] += alpha + (constant if alpha == 0 else 0.0)
    scale = np.sqrt(matrix.diagonal())
    factor = _factor(matrix / np.outer(scale, scale)) if p else None
    if factor is None:
        return None

    def solve(right: Floats) -> Floats:
        return factor.solve(right / scale[:, None]) / scale[:, None]

    rank = min(p - int(constant.sum()), view.n_effective)
    size = _size(moments, norm, view)
    method = "Cholesky of the normal equations"
    return _refined(view, alpha, solve(moments), solve, size, factor.rcond, rank, method)


def _by_rows(view: Centred, alpha: float) -> RidgeFit | None:
    """Dual equations, for fewer rows than columns."""
    root = view.root_weight()
    matrix = row_gram(view.X, view.x_mean, view.n_threads)
    if view.weight is not None:
        matrix *= np.outer(root, root)
    norm = np.sqrt(np.trace(matrix))
    mean_square = float(norm) ** 2 / max(1, len(matrix)) or alpha
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
        inner = factor.solve(root[:, None] * view.product(right)) / mean_square
        if alpha > 0:  # Woodbury: (G + a)^-1 r = (r - A^T (K + a)^-1 A r) / a
            return (right - lift(inner)) / alpha
        return lift(factor.solve(inner)) / mean_square

    target = root[:, None] * view.centred_target()
    lifted = lift(np.hstack([factor.solve(target) / mean_square, target]))
    coef, moments = np.hsplit(lifted, 2)
    size = _size(moments, norm, view)
    rank = min(len(coef), view.n_effective) if norm > 0 else 0
    method = "Cholesky of the dual equations (n < p)"
    return _refined(view, alpha, coef, solve, size, factor.rcond, rank, method)


@dataclass(frozen=True)
class _Factor:
    lower: Floats
    rcond: float

    def solve(self, right: Floats) -> Floats:
        return np.asarray(linalg.cho_solve((self.lower, True), right))


def _factor(matrix: Floats) -> _Factor | None:
    """Cholesky factor if the matrix is safely regular, else nothing; overwrites the matrix."""
    norm = float(np.abs(matrix).sum(axis=0).max())
    # Symmetric, so its transpose is the same matrix in the order that LAPACK wants.
    lower, info = linalg.lapack.dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
    if info != 0:
        return None
    rcond, info = linalg.lapack.dpocon(lower, norm, uplo="L")
    return _Factor(lower, float(rcond)) if info == 0 and rcond > _SAFE_RCOND else None


def _size(moments: Floats, norm: float, view: Centred) -> float:
    """What a gradient is small against: moments, or what rounding leaves of vanishing ones."""
    centred_target = view.centred_target()
    target = np.sqrt(np.vdot(view.weighted(centred_target), centred_target))
    rounding = _LEAST_CORRELATION * float(norm) * float(target)
    if not np.isfinite(rounding):
        raise FitError(
            "linalg: features and targets must have finite sums of squares, "
            f"got norms {norm:.3g} and {target:.3g}: rescale them"
        )
    return max(float(np.abs(moments).max(initial=0.0)), rounding, np.finfo(float).tiny)


def _refined(
    view: Centred,
    alpha: float,
    coef: Floats,
    solve: Callable[[Floats], Floats],
    size: float,
    rcond: float,
    rank: int,
    method: str,
) -> RidgeFit:
    """Iterative refinement until the gradient vanishes; the last gradient is the certificate."""
    goal = max(_COEF_TOL * rcond, np.finfo(float).eps)
    best = (np.inf, coef, 0.0)
    for step in range(_MAX_REFINEMENTS + 1):
        objective, gradient = view.objective_and_gradient(coef, alpha)
        residual = float(np.abs(gradient).max(initial=0.0)) / size
        if residual >= best[0]:
            break
        best = (residual, coef, objective)
        if residual <= goal or step == _MAX_REFINEMENTS:
            break
        coef = coef - solve(gradient)
    residual, coef, objective = best
    return RidgeFit(coef, view.intercept_of(coef), method, rank, residual, step, objective)


def _by_svd(view: Centred, alpha: float, *, forced: bool) -> RidgeFit:
    """Singular values of the (triangular factor of the) centred design."""
    design, target = view.dense()
    n, p = design.shape
    norm = float(np.linalg.norm(design))
    cutoff = max(n, p) * np.finfo(float).eps
    if n > 2 * p:
        stacked = linalg.qr(
            np.hstack([design, target]), mode="r", overwrite_a=True, check_finite=False
        )[0][: p + target.shape[1]]
        design, target = stacked[:p, :p], stacked[:p, p:]
    coef, rank = _svd_solve(design, target, alpha, cutoff)
    if rank < p <= view.n_effective and alpha == 0:
        # Small columns look dependent beside large ones: judge them at equal size.
        scale = np.linalg.norm(design, axis=0)
        scale[scale == 0] = 1.0
        scaled, full = _svd_solve(design / scale, target, alpha, cutoff)
        if full == p:
            coef, rank = scaled / scale[:, None], full
    objective, gradient = view.objective_and_gradient(coef, alpha)
    moments = view.transposed_product(view.weighted(view.centred_target()))
    residual = float(np.abs(gradient).max(initial=0.0)) / _size(moments, norm, view)
    why = "as asked" if forced else f"rank {rank} of {min(view.X.shape)}"
    return RidgeFit(coef, view.intercept_of(coef), f"SVD ({why})", rank, residual, 0, objective)


def _svd_solve(design: Floats, target: Floats, alpha: float, cutoff: float) -> tuple[Floats, int]:
    """Coefficients of least norm and the numerical rank."""
    left, values, right = linalg.svd(design, full_matrices=False, check_finite=False)
    keep = values > cutoff * values.max(initial=0.0)
    shrunk = 1.0 / (values[keep] + alpha / values[keep])
    coef = right[keep].T @ (shrunk[:, None] * (left[:, keep].T @ target))
    return np.asarray(coef), int(keep.sum())
