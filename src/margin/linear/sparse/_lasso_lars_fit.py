"""The exact path of the lasso for data with weights and an intercept, and its certificate."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin import losses, optim, penalties
from margin.core import Certificate, Solution, Status, threads
from margin.core.types import Array, Floats
from margin.linalg import gram, scatter

_TOL = 1e-6
_MOST_COLUMNS = 2000


@dataclass(frozen=True)
class LarsSettings:
    """Where the path ends, and what it may do.

    Parameters
    ----------
    alpha : float
        Strength at its end.
    intercept, positive : bool
        Whether there is an intercept, and whether coefficients must be at least 0.
    max_iter : int
        Most segments.
    """

    alpha: float
    intercept: bool
    positive: bool
    max_iter: int


@dataclass(frozen=True, eq=False)
class LarsFit:
    """The path of one target and its end.

    Parameters
    ----------
    coef : ndarray of shape (p,)
    intercept : float
    path : LarsPath
    solution : Solution
        The end with its certificate: the largest violation of an optimality condition, relative to
        that at zero.
    """

    coef: Floats
    intercept: float
    path: optim.LarsPath
    solution: Solution


def fit_lars(
    X: Array, targets: Floats, weight: Floats | None, settings: LarsSettings
) -> list[LarsFit]:
    """Follow the path of every target (the columns of ``targets``).

    With many more rows than columns the products are made once; where the certificate finds that
    their rounding shows, the path is followed on the table itself.

    Examples
    --------
    >>> X = np.array([[-1.0, 0], [1, 0], [0, -1], [0, 1]])
    >>> settings = LarsSettings(0.5, True, False, 9)
    >>> fit_lars(X, np.array([[-3.0], [3], [-1], [1]]), None, settings)[0].coef
    array([2., 0.])
    """
    n, p = X.shape
    mass = np.ones(n) if weight is None else weight
    shares = mass / mass.sum()
    y_means = targets[0] + shares @ (targets - targets[0])
    if not settings.intercept:
        y_means = np.zeros_like(y_means)
    tall = n >= 2 * p and p <= _MOST_COLUMNS
    targets = np.ascontiguousarray(targets - y_means)
    products = _products(X, targets, weight, settings.intercept) if tall else None
    fits = []
    for k, y in enumerate(np.ascontiguousarray(targets.T)):
        problem = optim.LinearProblem(
            X,
            y + y_means[k],
            shares,
            losses.Squared(),
            penalties.L1(settings.alpha),
            intercept=settings.intercept,
        )
        fit = None
        if products is not None:
            x_mean, matrix, moments = products
            path = optim.gram_lars_path(
                matrix,
                moments[:, k],
                alpha_min=settings.alpha,
                max_iter=settings.max_iter,
                positive=settings.positive,
            )
            fit = _judged(problem, path, x_mean, float(y_means[k]), settings)
        if fit is None or fit.solution.status is Status.STALLED:
            path, x_mean = _on_the_table(X, y, shares, settings)
            fit = _judged(problem, path, x_mean, float(y_means[k]), settings)
        fits.append(fit)
    return fits


def _products(
    X: Array, targets: Floats, weight: Floats | None, intercept: bool
) -> tuple[Floats, Floats, Floats]:
    """Means, and mean products of centred columns with each other and with the targets."""
    total = len(X) if weight is None else float(weight.sum())
    if intercept:
        mean, matrix, moments = scatter(X, targets, weight, threads.count(None))
        return mean, matrix / total, moments / total
    products = gram(X, weight, None, targets)
    assert products[1] is not None
    return np.zeros(X.shape[1]), products[0] / total, products[1] / total


def _on_the_table(
    X: Array, y: Floats, shares: Floats, settings: LarsSettings
) -> tuple[optim.LarsPath, Floats]:
    table, x_mean = X.astype(np.float64, copy=False), np.zeros(X.shape[1])
    if settings.intercept:
        x_mean = table[0] + shares @ (table - table[0])
        table = table - x_mean
    root = np.sqrt(len(y) * shares)
    path = optim.lars_path(
        root[:, None] * table,
        root * y,
        alpha_min=settings.alpha,
        max_iter=settings.max_iter,
        positive=settings.positive,
    )
    return path, x_mean


def _judged(
    problem: optim.LinearProblem,
    path: optim.LarsPath,
    x_mean: Floats,
    y_mean: float,
    settings: LarsSettings,
) -> LarsFit:
    """The end of the path with its certificate."""
    coef = path.at(settings.alpha)
    level = y_mean - float(x_mean @ coef)
    x = np.append(coef, level) if settings.intercept else coef
    local = problem.expand(x)
    first = path.alphas[0] or 1.0
    broken = _violation(local.gradient, coef, settings) / first
    certificate = Certificate("violation relative to the first alpha", broken, _TOL)
    status = Status.CONVERGED if certificate.holds else Status.STALLED
    message = "" if certificate.holds else "the path lost precision: scale the features"
    if path.alphas[-1] > max(settings.alpha, 1e-12 * path.alphas[0]):
        status = Status.MAX_ITER
        message = (
            f"the path was cut at alpha={path.alphas[-1]:.3g} after max_iter={settings.max_iter} "
            "segments; raise max_iter or alpha"
        )
    solution = Solution(
        x=x,
        status=status,
        n_iter=max(1, len(path.alphas) - 1),
        objective=local.value,
        trace={"objective": np.array([local.value])},
        certificate=certificate,
        solver="homotopy (LARS)",
        message=message,
    )
    return LarsFit(coef, level if settings.intercept else 0.0, path, solution)


def _violation(gradient: Any, coef: Floats, settings: LarsSettings) -> float:
    """Largest entry of the least subgradient."""
    broken = np.abs(gradient)
    if settings.positive:
        # At zero the least subgradient hides which way it points: only downhill counts.
        broken[: len(coef)][(coef == 0.0) & (gradient[: len(coef)] > 0.0)] = 0.0
    return float(broken.max(initial=0.0))
