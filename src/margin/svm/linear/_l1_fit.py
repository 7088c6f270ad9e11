"""Training of a linear machine with few weights: squared hinge and L1 penalty."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.losses import SquaredHinge
from margin.optim import CoordinateDescent, LinearProblem
from margin.penalties import L1


def solve_l1(
    X: Any,
    sign: Floats,
    price: Floats,
    constant: float,
    *,
    tol: float,
    max_iter: int,
    tick: Callback | None = None,
) -> tuple[Solution, Floats]:
    r"""Minimiser of :math:`\|w\|_1 + \sum_i C_i \max(0, 1 - y_i x_i^\top w)^2` (svm.09).

    Parameters
    ----------
    X : ndarray or CSR matrix
    sign, price : ndarray of shape (n,)
        Labels of +1 and -1, and prices :math:`C_i` of their losses.
    constant : float
        Value of the constant feature, whose weight is penalised like the others; 0 without an
        intercept, infinity leaves it unpenalised.
    tol : float
        Largest entry of the least subgradient, divided by that of the losses at zero.
    max_iter : int
        Most Newton steps.
    tick : callable, optional

    Returns
    -------
    Solution
        ``x`` are the weights, then that of the constant feature.
    ndarray of shape (n,)
        Signed slopes of the losses, what the dual has for multipliers.
    """
    table = _with_constant(X, constant) if 0 < constant < np.inf else X
    # The objective is divided by its steepest slope, so that the tolerance is relative.
    steepest = float(np.abs(table.T @ (2.0 * sign * price)).max(initial=0.0)) or 1.0
    problem = LinearProblem(
        table,
        sign,
        price / steepest,
        SquaredHinge(),
        L1(1.0 / steepest),
        intercept=constant == np.inf,
    )
    solution = CoordinateDescent(tol=tol, max_iter=max_iter).run(problem, callback=tick)
    scores = problem.predictions(solution.x)[:, 0]
    beta = 2.0 * price * sign * np.maximum(0.0, 1.0 - sign * scores)
    x = solution.x if constant else np.append(solution.x, 0.0)
    return replace(solution, x=x, objective=steepest * solution.objective), beta


def _with_constant(X: Any, constant: float) -> Any:
    """The table with a constant feature behind the others."""
    column: Array = np.full((X.shape[0], 1), constant, dtype=X.dtype)
    if sparse.issparse(X):
        return sparse.hstack([X, sparse.csr_array(column)], format="csr")
    return np.hstack([X, column])
