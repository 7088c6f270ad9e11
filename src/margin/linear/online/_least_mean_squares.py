"""The rule of Widrow and Hoff."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_X_y

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.types import Floats

_RULES = ("batch", "stochastic")


def least_mean_squares(
    X: Any,
    y: Any,
    *,
    rule: Literal["batch", "stochastic"] = "batch",
    step: float | None = None,
    fit_intercept: bool = True,
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> Solution:
    r"""Least squares by the delta rule, all rows at once or one after the other (linear.04).

    From :math:`w = 0`, with a one appended to every row for the intercept,

    .. math:: w \leftarrow w + \eta \sum_i (y_i - w^\top x_i)\, x_i \quad\text{(batch)}, \qquad
              w \leftarrow w + \eta\, (y_i - w^\top x_i)\, x_i \quad\text{(stochastic)} .

    The batch rule is gradient descent on half the sum of squares: after :math:`t` rounds the error
    is :math:`(I - \eta X^\top X)^t` times that of the start, so it converges to least squares
    exactly if :math:`\eta < 2 / \lambda_{\max}(X^\top X)`. The stochastic rule converges where the
    equations have a solution, and else ends in a neighbourhood of least squares that shrinks with
    :math:`\eta`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    rule : {"batch", "stochastic"}, default="batch"
        Whether a correction sums over all rows, or follows every row in turn.
    step : float, optional
        Step length :math:`\eta`; by default :math:`1 / \lambda_{\max}` for the batch rule and a
        tenth of :math:`1 / \max_i \|x_i\|^2` for the stochastic one.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    tol : float, default=1e-6
        Largest correlation of the residual with a direction of the rows, as a share of
        :math:`\|X\| \|y\|`, that counts as zero.
    max_iter : int, default=1000
        Most passes over the rows.

    Returns
    -------
    Solution
        The coefficients, the intercept last; half the sum of squares after every pass. FAILED where
        the step is so long that it diverges.

    See Also
    --------
    SGDRegressor : The stochastic rule with decreasing steps, penalties and other losses.
    LinearRegression : The answer in one step.

    Examples
    --------
    >>> solution = least_mean_squares([[0], [1], [2]], [1, 2, 4])
    >>> solution.status.value, solution.x.round(4)
    ('converged', array([1.5   , 0.8333]))
    """
    rows, target = check_X_y(X, y, dtype=np.float64, y_numeric=True)
    if rule not in _RULES:
        raise check.fail("least_mean_squares", "rule", "one of 'batch', 'stochastic'", rule)
    for name, value in (("step", step), ("tol", tol)):
        if value is not None and not 0 < value < np.inf:
            raise check.fail("least_mean_squares", name, "a finite number above 0", value)
    if isinstance(max_iter, bool) or max_iter != int(max_iter) or max_iter < 1:
        raise check.fail("least_mean_squares", "max_iter", "an integer of at least 1", max_iter)
    A = np.column_stack([rows, np.ones(len(rows))]) if fit_intercept else rows
    eta = _usual_step(A, rule) if step is None else float(step)
    kind = "correlation of residual and rows"
    stop = Stop(kind, tol, int(max_iter), unit="pass", keep="last", advice=("shorten step",))
    states = _passes(A, target.astype(np.float64), eta, rule)
    return iterate(states, stop, solver=f"Widrow-Hoff, {rule}, step {eta:.3g}")


def _usual_step(A: Floats, rule: str) -> float:
    if rule == "batch":
        return 1.0 / (float(np.linalg.norm(A, 2)) ** 2 or 1.0)
    return 0.1 / (float(np.max(np.sum(A**2, axis=1))) or 1.0)


def _passes(A: Floats, y: Floats, eta: float, rule: str) -> Iterator[Iterate]:
    w, n_iter = np.zeros(A.shape[1]), 0
    size = float(np.linalg.norm(A) * np.linalg.norm(y)) or 1.0
    with np.errstate(over="ignore", invalid="ignore"):  # what diverges is told by the driver
        while True:
            residual = y - A @ w
            slope = A.T @ residual
            half = 0.5 * float(residual @ residual)
            yield Iterate(w, half, float(np.abs(slope).max(initial=0.0)) / size, n_iter)
            if rule == "batch":
                w = w + eta * slope
            else:
                w = w.copy()
                for x, target in zip(A, y, strict=True):
                    w += eta * (target - x @ w) * x
            n_iter += 1
