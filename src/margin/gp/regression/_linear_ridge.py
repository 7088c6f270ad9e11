"""Kernel ridge regression with the linear kernel and more rows than columns, by the columns."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve, solve_triangular

from margin.core.types import Floats
from margin.gp.regression._ridge_solve import ROUNDING, RidgeSolve, held_out

# Below this share of the largest squared column the differences that give the coefficients lose
# too many digits, and the system in the rows is solved.
_LEAST_ALPHA = 1e-6


def suits_columns(X: object, alpha: float) -> bool:
    """Whether a table is dense, tall and penalised enough for :func:`solve_by_columns`.

    Examples
    --------
    >>> suits_columns(np.ones((9, 2)), 1.0), suits_columns(np.ones((2, 2)), 1.0)
    (True, False)
    """
    if not isinstance(X, np.ndarray) or X.shape[0] <= 2 * X.shape[1]:
        return False
    squares = np.einsum("ij,ij->j", X, X).max(initial=0.0)
    return bool(alpha > _LEAST_ALPHA * squares)


def solve_by_columns(
    X: Floats, Y: Floats, weight: Floats | None, alpha: float, *, intercept: bool = False
) -> RidgeSolve:
    r"""What :func:`solve_ridge` gives for :math:`K = X X^\top`, in :math:`O(n p^2)`.

    With :math:`Z = W^{1/2} X` and :math:`G = Z^\top Z + \alpha I` the inverse of
    :math:`Z Z^\top + \alpha I` is :math:`(I - Z G^{-1} Z^\top) / \alpha`.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    Y, weight, alpha, intercept
        As for :func:`solve_ridge`; ``alpha`` is above 0.

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0]]), np.array([[1.0], [1.0]])
    >>> solve_by_columns(X, y, None, 1.0).coefficients.ravel().round(12) + 0.0
    array([0.5, 0. ])
    """
    X = np.asarray(X, dtype=np.float64)
    n = len(X)
    root = np.ones(n) if weight is None else np.sqrt(weight)
    Z = X if weight is None else root[:, None] * X
    G = Z.T @ Z
    size = float(np.diagonal(G).max(initial=0.0)) + alpha
    G.flat[:: len(G) + 1] += alpha
    factor = np.linalg.cholesky(G)

    def solve(right: Floats) -> Floats:
        solved: Floats = (right - Z @ cho_solve((factor, True), Z.T @ right)) / alpha
        return solved

    b, ones = np.zeros(Y.shape[1]), np.zeros(n)
    if intercept:
        ones = solve(root)
        b = ones @ (root[:, None] * Y) / (ones @ root)
    a = root[:, None] * solve(root[:, None] * (Y - b))
    fitted = X @ (X.T @ a) + b
    misfit = root[:, None] ** 2 * (Y - fitted)
    slack = np.abs(alpha * a - misfit).max(initial=0.0)
    terms = root.max() * np.abs(root[:, None] * Y).max(initial=0.0)
    terms += n * size * np.abs(a).max(initial=0.0)
    objective = float(np.sum(misfit * (Y - fitted)) + alpha * np.sum(a * (fitted - b)))

    def leave_out() -> Floats:
        half = solve_triangular(factor, Z.T, lower=True)  # L^-1 Z'
        inverse = (1.0 - np.einsum("ij,ij->j", half, half)) / alpha
        if intercept:
            inverse = inverse - ones**2 / (ones @ root)
        return held_out(inverse, a, Y, fitted, root**2)

    return RidgeSolve(
        a,
        b,
        leave_out,
        max(objective, 0.0),
        float(slack / terms) if terms > 0 else 0.0,
        ROUNDING * n,
        "",
    )
