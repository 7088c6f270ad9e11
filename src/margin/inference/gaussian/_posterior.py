"""A normal law in the place of a posterior: at its mode, as wide as its curvature says."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import Solution, check
from margin.core.types import Array, Floats
from margin.distributions import MultivariateNormal
from margin.inference._differentiable import ValueAndGradient, differentiable
from margin.linalg import cholesky
from margin.optim import LBFGS, Function, minimise

_THIRD = float(np.finfo(np.float64).eps) ** (1 / 3)


@dataclass(frozen=True, eq=False)
class PosteriorApproximation:
    r"""What :func:`laplace_approximation` finds.

    Parameters
    ----------
    law : MultivariateNormal
        At the mode, with the inverse of the Hessian of :math:`-\log p` for covariance.
    log_evidence : float
        Log of the integral of the density, as if it were normal.
    solution : Solution
        The search for the mode.
    """

    law: MultivariateNormal
    log_evidence: float
    solution: Solution


def laplace_approximation(
    log_density: Any,
    start: Array,
    *,
    gradient: Any = None,
    hessian: Callable[[Floats], Array] | None = None,
    tol: float = 1e-8,
    max_iter: int = 500,
) -> PosteriorApproximation:
    r"""Normal approximation of a density at its mode (``inference.33``, ``inference.34``).

    .. math:: p(x) \approx p(\hat x)\, e^{-\frac12 (x - \hat x)^\top H (x - \hat x)}, \qquad
              \log \int p \approx \log p(\hat x) + \tfrac12 \log\det(2 \pi H^{-1})

    with :math:`H = -\nabla^2 \log p(\hat x)`; exact for a normal law.

    Parameters
    ----------
    log_density : callable
        ``log_density(x)`` returns the log density and its gradient, or the value alone if
        ``gradient`` is given.
    start : array of shape (d,)
        Where the search for the mode begins.
    gradient : callable, optional
        ``gradient(x)``.
    hessian : callable, optional
        ``hessian(x)`` of the log density; by central differences of the gradient without it.
    tol, max_iter
        Of the search: largest entry of the gradient, and iterations.

    Returns
    -------
    PosteriorApproximation

    Raises
    ------
    ValueError
        Where the density has no curvature in some direction: there is no mode to stand on.

    Examples
    --------
    >>> import numpy as np
    >>> posterior = laplace_approximation(lambda x: (-2.0 * x @ x, -4.0 * x), np.ones(1))
    >>> posterior.law.covariance.round(6), round(np.exp(posterior.log_evidence).item() ** 2, 6)
    (array([[0.25]]), 1.570796)
    """
    owner = "laplace_approximation"
    point = np.asarray(start, dtype=np.float64)
    if point.ndim != 1 or not point.size or not np.isfinite(point).all():
        raise check.fail(owner, "start", "a finite vector", start)
    function = differentiable(owner, log_density, gradient, point)
    if not np.isfinite(function(point.copy())[0]):
        raise check.fail(owner, "start", "where log_density is finite", start)

    def falling(x: Floats) -> tuple[float, Floats]:
        value, slope = function(x)
        return -value, -slope

    problem = Function(falling, len(point))
    solution = minimise(problem, LBFGS(tol=tol, max_iter=max_iter), point)
    mode = np.asarray(solution.x)
    curved = _differences(function, mode) if hessian is None else np.asarray(hessian(mode), float)
    precision = -0.5 * (curved + curved.T)
    if not (np.isfinite(precision).all() and np.linalg.eigvalsh(precision)[0] > 0):
        least = np.linalg.eigvalsh(np.nan_to_num(precision))[0]
        wanted = "curved downwards in every direction at its mode"
        raise check.fail(owner, "log_density", wanted, f"a least curvature of {least:.3g}")
    factor = cholesky(precision, name="the Hessian")
    covariance = factor.solve(np.eye(len(mode)))
    law = MultivariateNormal(mode, 0.5 * (covariance + covariance.T))
    level = 0.5 * (len(mode) * np.log(2 * np.pi) - factor.log_det)
    return PosteriorApproximation(law, float(-solution.objective + level), solution)


def _differences(function: ValueAndGradient, x: Floats) -> Floats:
    """Second derivatives by central differences of the gradient."""
    steps = _THIRD * np.maximum(1.0, np.abs(x))
    columns = []
    for j, step in enumerate(steps):
        ahead, behind = x.copy(), x.copy()
        ahead[j] += step
        behind[j] -= step
        columns.append((function(ahead)[1] - function(behind)[1]) / (ahead[j] - behind[j]))
    return np.stack(columns, axis=1)
