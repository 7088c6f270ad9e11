"""Hyper-parameters by maximising the marginal likelihood."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from margin.core import Certificate, FitError, Solution, Status
from margin.gp.solvers._solver import Evaluation

Floats = NDArray[np.float64]
Evaluate = Callable[[Floats], Evaluation]

_OBSTACLE = 1e3


@dataclass
class _Record:
    """Everything seen on the way, so that the best survives an interruption."""

    evaluate: Evaluate
    scale: float
    tick: Callable[[int, float], None] | None
    best: tuple[float, Floats, Floats] | None = None
    values: list[float] = field(default_factory=list)
    error: FitError | None = None

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """Negative objective per row; a kernel that breaks down is a wall for the line search."""
        try:
            found = self.evaluate(theta)
            value, gradient = -found.value / self.scale, -found.gradient / self.scale
            if not (np.isfinite(value) and np.isfinite(gradient).all()):
                raise FitError(f"the marginal likelihood became {found.value}")
        except FitError as error:
            self.error = error
            wall = abs(self.best[0]) if self.best else 1.0
            return _OBSTACLE * (1.0 + wall), np.zeros_like(theta)
        if self.best is None or value < self.best[0]:
            self.best = (value, theta.copy(), gradient)
        return value, gradient

    def step(self, intermediate_result: Any) -> None:
        self.values.append(float(intermediate_result.fun))
        if self.tick is not None:
            self.tick(len(self.values), float(intermediate_result.fun))


def search(
    evaluate: Evaluate,
    start: Floats,
    bounds: Floats,
    *,
    scale: float,
    tol: float,
    max_iter: int,
    tick: Callable[[int, float], None] | None = None,
) -> Solution:
    """Maximise a marginal likelihood over a box by L-BFGS-B.

    Parameters
    ----------
    evaluate : callable
        ``theta -> Evaluation``.
    start : ndarray of shape (p,)
    bounds : ndarray of shape (p, 2)
    scale : float
        Number of rows: objective and gradient are measured per row.
    tol : float
        Largest entry of the gradient per row, projected on the box, that counts as zero.
    max_iter : int
    tick : callable, optional
        Progress, called with iteration and objective.

    Returns
    -------
    Solution
        ``objective`` is the negative log marginal likelihood per row.

    Examples
    --------
    >>> bowl = lambda t: Evaluation(-float((t[0] - 3) ** 2), -2 * (t - 3))
    >>> found = search(bowl, np.zeros(1), np.array([[-1.0, 2.0]]), scale=1, tol=1e-6, max_iter=50)
    >>> found.x, found.status.value
    (array([2.]), 'converged')
    """
    record = _Record(evaluate, scale, tick)
    first, gradient = record(np.clip(start, bounds[:, 0], bounds[:, 1]))
    if record.best is None:
        raise record.error or FitError("the marginal likelihood cannot be computed at the start")
    record.values.append(first)
    message, n_iter = "", 0
    if len(start) and _projected(start, gradient, bounds) > tol:
        try:
            found = minimize(
                record,
                start,
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                callback=record.step,
                options={"maxiter": max_iter, "gtol": tol, "ftol": 1e-15, "maxls": 30},
            )
            n_iter = int(found.nit)
        except KeyboardInterrupt:
            n_iter, message = len(record.values) - 1, "interrupted"
    value, theta, slope = record.best
    norm = _projected(theta, slope, bounds)
    record.values[-1] = value
    status, message = _judge(norm, tol, n_iter, max_iter, message)
    return Solution(
        x=theta,
        status=status,
        n_iter=n_iter,
        objective=value,
        trace={"objective": np.minimum.accumulate(record.values)},
        certificate=Certificate("gradient norm", norm, tol),
        solver="L-BFGS-B",
        message=message,
    )


def _projected(theta: Floats, gradient: Floats, bounds: Floats) -> float:
    """Largest entry of the step that a unit gradient step makes inside the box."""
    step = np.clip(theta - gradient, bounds[:, 0], bounds[:, 1]) - theta
    return float(np.abs(step).max(initial=0.0))


def _judge(norm: float, tol: float, n_iter: int, max_iter: int, message: str) -> tuple[Status, str]:
    if message:
        return Status.MAX_ITER, f"{message} after {n_iter} iterations"
    if norm <= tol:
        return Status.CONVERGED, ""
    if n_iter >= max_iter:
        return Status.MAX_ITER, (
            f"stopped after max_iter={max_iter} iterations with gradient norm {norm:.3g} above "
            f"tol={tol:g}; raise max_iter, scale the features, or raise tol"
        )
    return Status.STALLED, (
        f"no progress at machine precision after {n_iter} iterations: gradient norm {norm:.3g} "
        f"above tol={tol:g}; add noise (alpha or a White kernel) or raise tol"
    )
