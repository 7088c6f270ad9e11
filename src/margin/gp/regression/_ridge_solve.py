"""The linear systems of kernel ridge regression."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.linalg import kernel_cholesky

ROUNDING = 100.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class RidgeSolve:
    r"""Coefficients of :math:`\arg\min_f \sum_i w_i (y_i - f(x_i))^2 + \alpha \|f\|^2`.

    Parameters
    ----------
    coefficients : ndarray of shape (n, k)
        :math:`a` of :math:`f = \sum_i a_i k(x_i, \cdot)`.
    intercept : ndarray of shape (k,)
        Constant :math:`b` that is added and not penalised; zero where none was asked for.
    leave_out : callable
        Computes ``held_out``, which costs more than the rest.
    objective : float
        The minimum, summed over the targets.
    residual : float
        Largest entry of :math:`\alpha a - W (y - f(X))`, relative to the size of its terms.
    tolerance : float
        What rounding errors, and the repair of the matrix if there was one, explain of it.
    repair : str
        What was done to the matrix to make it definite; empty if nothing.
    """

    coefficients: Floats
    intercept: Floats
    leave_out: Callable[[], Floats]
    objective: float
    residual: float
    tolerance: float
    repair: str

    @cached_property
    def held_out(self) -> Floats:
        """Prediction of every target by the fit to all other rows, of shape (n, k)."""
        return self.leave_out()


def solve_ridge(
    K: Floats,
    Y: Floats,
    weight: Floats | None,
    alpha: float,
    what: Any,
    *,
    intercept: bool = False,
) -> RidgeSolve:
    r"""Solve :math:`(W^{1/2} K W^{1/2} + \alpha I)\, c = W^{1/2} y`, :math:`a = W^{1/2} c`.

    The form with roots of the weights is symmetric and takes weights of zero: such a row has no
    coefficient. Without a row the prediction there is :math:`y_i - a_i / (w_i A_{ii})`, where
    :math:`A` is the inverse of the matrix, less what the intercept explains of it.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    Y : ndarray of shape (n, k)
        Targets.
    weight : ndarray of shape (n,), optional
        Weights of the rows.
    alpha : float
        Strength of the penalty.
    what : object
        The kernel, for messages.
    intercept : bool
        Whether to add a constant that is not penalised.

    Examples
    --------
    >>> K = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> solved = solve_ridge(K, np.array([[1.0], [0.0]]), None, 1.0, "k")
    >>> solved.coefficients.ravel().round(6), solved.held_out.ravel().round(6)
    (array([ 0.533333, -0.133333]), array([0.  , 0.25]))
    """
    n = len(K)
    root = np.ones(n) if weight is None else np.sqrt(weight)
    work = np.array(K, dtype=np.float64)
    if weight is not None:
        work *= root
        work *= root[:, None]
    work.flat[:: n + 1] += alpha
    size = float(np.abs(np.diagonal(work)).max())
    system = kernel_cholesky(work, what)
    b, ones = np.zeros(Y.shape[1]), np.zeros(n)
    if intercept:
        ones = system.solve(root)
        b = ones @ (root[:, None] * Y) / (ones @ root)
    a = root[:, None] * system.solve(root[:, None] * (Y - b))
    fitted = K @ a + b
    misfit = root[:, None] ** 2 * (Y - fitted)
    slack = np.abs(alpha * a - misfit).max(initial=0.0)
    terms = root.max() * np.abs(root[:, None] * Y).max(initial=0.0)
    terms += n * size * np.abs(a).max(initial=0.0)
    objective = float(np.sum(misfit * (Y - fitted)) + alpha * np.sum(a * (fitted - b)))

    def leave_out() -> Floats:
        inverse = system.inverse_diagonal()
        if intercept:
            inverse = inverse - ones**2 / (ones @ root)
        return held_out(inverse, a, Y, fitted, root**2)

    return RidgeSolve(
        a,
        b,
        leave_out,
        max(objective, 0.0),
        float(slack / terms) if terms > 0 else 0.0,
        ROUNDING * n + system.jitter / size,
        system.repair,
    )


def held_out(inverse: Floats, a: Floats, Y: Floats, fitted: Floats, weight: Floats) -> Floats:
    """A row without weight is not in the fit: its prediction is the fitted value.

    Without the only row that carries weight there is no fit, and the function is zero.
    """
    seen = weight > 0
    scale = np.where(seen, weight * inverse, 1.0)[:, None]
    held = np.zeros_like(Y) if np.count_nonzero(seen) == 1 else Y - a / scale
    return np.where(seen[:, None], held, fitted)
