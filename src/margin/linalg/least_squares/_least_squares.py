"""Least squares and ridge: the cheapest factorisation that is accurate enough, then proof."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse import issparse

from margin.core.types import Floats
from margin.linalg.data._centred import Centred, centred, centred_with_products
from margin.linalg.data._gram import row_gram
from margin.linalg.least_squares._normal_inverse import (
    MOST_NUMBERS,
    ColumnInverse,
    NormalInverse,
    RowInverse,
)
from margin.linalg.least_squares._ridge_fit import RidgeFit, gradient_unit, penalised_half
from margin.linalg.least_squares._sparse_ridge import sparse_ridge
from margin.linalg.least_squares._svd_ridge import svd_ridge

_SAFE_RCOND = 1e-10  # of the scaled Gram matrix: cond(X) below 1e5, where refinement is exact
_COEF_TOL = 1e-11
_MAX_REFINEMENTS = 4


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
        return svd_ridge(centred(*data), alpha, forced=True)
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
    return svd_ridge(view, alpha, forced=False) if fit is None else fit


def _by_columns(view: Centred, matrix: Floats, moments: Floats, alpha: float) -> RidgeFit | None:
    """Normal equations of the columns, scaled to unit diagonal."""
    p = len(matrix)
    diagonal = np.einsum("ii->i", matrix)  # to be written on
    norm = np.sqrt(np.add.reduce(diagonal))
    constant = diagonal == 0  # their least-norm coefficients are zero
    n_constant = int(np.count_nonzero(constant))
    if n_constant and moments[constant].any():  # not constant: squares so small that they vanish
        return None
    diagonal += alpha
    if n_constant and alpha == 0:
        diagonal[constant] = 1.0
    scale = np.sqrt(diagonal)
    factor = _factor(matrix / (scale[:, None] * scale)) if p else None
    if factor is None:
        return None

    def solve(right: Floats) -> Floats:
        return np.asarray(factor.solve(right / scale[:, None]) / scale[:, None])

    rank = min(p - n_constant, view.n_effective)
    size = gradient_unit(moments, norm, view)
    method = "Cholesky of the normal equations"
    kept = None
    if p * p <= MOST_NUMBERS:
        live = ~constant if alpha == 0 else np.ones(p, dtype=np.bool_)
        kept = ColumnInverse(view.x_mean, alpha, factor.lower, scale, live)
    return _refined(view, alpha, solve(moments), solve, size, factor.rcond, rank, method, kept)


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
    size = gradient_unit(moments, norm, view)
    rank = min(len(coef), view.n_effective) if norm > 0 else 0
    method = "Cholesky of the dual equations (n < p)"
    kept = None
    if alpha > 0 and view.X.size <= MOST_NUMBERS:
        rows, filled = view.X.copy(), view.intercept
        kept = RowInverse(view.x_mean, alpha, rows, root, factor.lower, mean_square, filled)
    return _refined(view, alpha, coef, solve, size, factor.rcond, rank, method, kept)


@dataclass(frozen=True)
class _Factor:
    lower: Floats
    rcond: float

    def solve(self, right: Floats) -> Floats:
        solved, _ = linalg.lapack.dpotrs(self.lower, right, lower=1)
        return np.asarray(solved)


def _factor(matrix: Floats) -> _Factor | None:
    """Cholesky factor if the matrix is safely regular, else nothing; overwrites the matrix."""
    norm = float(np.add.reduce(np.abs(matrix), axis=0).max())
    # Symmetric, so its transpose is the same matrix in the order that LAPACK wants.
    lower, info = linalg.lapack.dpotrf(matrix.T, lower=1, overwrite_a=1, clean=0)
    if info != 0:
        return None
    rcond, info = linalg.lapack.dpocon(lower, norm, uplo="L")
    return _Factor(lower, float(rcond)) if info == 0 and rcond > _SAFE_RCOND else None


def _refined(
    view: Centred,
    alpha: float,
    coef: Floats,
    solve: Callable[[Floats], Floats],
    size: float,
    rcond: float,
    rank: int,
    method: str,
    kept: NormalInverse | None,
) -> RidgeFit:
    """Iterative refinement until the gradient vanishes; the last gradient is the certificate."""
    goal = _COEF_TOL * rcond
    best = (np.inf, coef, np.zeros(coef.shape[1]))
    for step in range(_MAX_REFINEMENTS + 1):
        halves, gradient = view.halves_and_gradient(coef, alpha)
        residual = float(np.abs(gradient).max(initial=0.0)) / size
        if residual >= best[0]:
            break
        best = (residual, coef, halves)
        if residual <= goal or step == _MAX_REFINEMENTS:
            break
        coef = coef - solve(gradient)
    residual, coef, halves = best
    return RidgeFit(
        coef,
        view.intercept_of(coef),
        method,
        rank,
        residual,
        step,
        penalised_half(halves, coef, alpha),
        2.0 * halves,
        kept,
    )
