"""Small objectives with a known answer, for solvers to be tried on."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from margin.optim import Function

Floats = NDArray[np.float64]


def quadratic(dimension: int, condition: float, seed: int = 0) -> tuple[Function, Floats]:
    r"""Strictly convex :math:`\tfrac12 (x - c)^\top A (x - c)` and its minimiser ``c``.

    The eigenvalues of ``A`` run from 1 to ``condition`` in a random basis.

    Examples
    --------
    >>> problem, best = quadratic(3, 10.0)
    >>> problem.expand(best).value
    0.0
    """
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.normal(size=(dimension, dimension)))
    A = (basis * np.geomspace(1.0, condition, dimension)) @ basis.T
    A = 0.5 * (A + A.T)
    best = rng.normal(size=dimension)

    def expand(x: Floats) -> tuple[float, Floats]:
        image = A @ (x - best)
        return 0.5 * float((x - best) @ image), image

    return Function(expand, dimension, hessian=lambda x: A), best


def logistic(alpha: float, n: int = 60, dimension: int = 5, seed: int = 0) -> Function:
    r"""Mean logistic loss of random labels plus :math:`\tfrac\alpha2 \|w\|^2`.

    Examples
    --------
    >>> round(logistic(0.1).expand(np.zeros(5)).value, 6)
    0.693147
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, dimension)) * np.geomspace(0.3, 3.0, dimension)
    sign = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)

    def expand(w: Floats) -> tuple[float, Floats]:
        margin = sign * (X @ w)
        value = np.logaddexp(0.0, -margin).mean() + 0.5 * alpha * w @ w
        return float(value), -X.T @ (sign * expit(-margin)) / n + alpha * w

    def hessian(w: Floats) -> Floats:
        z = X @ w
        weight = expit(z) * expit(-z) / n
        return np.asarray((X.T * weight) @ X + alpha * np.eye(dimension))

    return Function(expand, dimension, hessian=hessian)


def without_curvature() -> tuple[Function, list[Floats]]:
    """Half the squared norm without a Hessian, and the list of points it was evaluated at."""
    visited: list[Floats] = []

    def expand(x: Floats) -> tuple[float, Floats]:
        visited.append(x)
        return 0.5 * float(x @ x), x

    return Function(expand, 2), visited


def broken() -> Function:
    """NaN everywhere."""
    return Function(lambda x: (np.nan, np.full(1, np.nan)), 1, hessian=lambda x: np.eye(1))


def cliff() -> Function:
    """A slope downhill from 1 that ends in NaN at 0.9."""

    def expand(x: Floats) -> tuple[float, Floats]:
        inside = x[0] > 0.9
        return float(x[0]) if inside else np.nan, np.array([1.0 if inside else np.nan])

    return Function(expand, 1, hessian=lambda x: np.eye(1))
