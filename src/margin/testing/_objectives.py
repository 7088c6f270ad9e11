"""Small objectives with a known answer, for solvers to be tried on."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit

from margin.core.types import Floats
from margin.losses import Logistic, Squared
from margin.optim import Expansion, Function, LinearProblem, Problem
from margin.penalties import L2, Zero


def quadratic(
    dimension: int, condition: float, *, linear: bool = False, seed: int = 0
) -> tuple[Problem, Floats]:
    r"""Strictly convex :math:`\tfrac12 (x - c)^\top A (x - c)` and its minimiser ``c``.

    The eigenvalues of ``A`` run from 1 to ``condition`` in a random basis. With ``linear`` it is
    stated as the squared loss of a linear model, for solvers that need rows or columns.

    Examples
    --------
    >>> problem, best = quadratic(3, 10.0)
    >>> problem.expand(best).value
    0.0
    """
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.normal(size=(dimension, dimension)))
    root = np.sqrt(np.geomspace(1.0, condition, dimension))[:, None] * basis.T
    best = rng.normal(size=dimension)
    if linear:
        return LinearProblem(root, root @ best, None, Squared(), Zero(), intercept=False), best
    A = root.T @ root

    def expand(x: Floats) -> tuple[float, Floats]:
        image = A @ (x - best)
        return 0.5 * float((x - best) @ image), image

    return Function(expand, dimension, hessian=lambda x: A), best


def logistic(
    alpha: float, *, linear: bool = False, n: int = 60, dimension: int = 5, seed: int = 0
) -> Problem:
    r"""Mean logistic loss of random labels plus :math:`\tfrac\alpha2 \|w\|^2`.

    Examples
    --------
    >>> round(logistic(0.1).expand(np.zeros(5)).value, 6)
    0.693147
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, dimension)) * np.geomspace(0.3, 3.0, dimension)
    positive = X[:, 0] + rng.normal(size=n) > 0
    if linear:
        share, y = np.full(n, 1.0 / n), positive.astype(np.float64)
        return LinearProblem(X, y, share, Logistic(), L2(alpha), intercept=False)
    sign = np.where(positive, 1.0, -1.0)

    def expand(w: Floats) -> tuple[float, Floats]:
        margin = sign * (X @ w)
        value = np.logaddexp(0.0, -margin).mean() + 0.5 * alpha * w @ w
        return float(value), -X.T @ (sign * expit(-margin)) / n + alpha * w

    def hessian(w: Floats) -> Floats:
        z = X @ w
        weight = expit(z) * expit(-z) / n
        return np.asarray((X.T * weight) @ X + alpha * np.eye(dimension))

    return Function(expand, dimension, hessian=hessian)


def valley() -> Function:
    r"""The non-convex :math:`1 - e^{-x^2/2}`, whose gradient grows on the way down from afar."""

    def expand(x: Floats) -> tuple[float, Floats]:
        depth = float(np.exp(-0.5 * x[0] ** 2))
        return 1.0 - depth, x * depth

    return Function(expand, 1, hessian=lambda x: np.exp(-0.5 * x**2) * np.array([1 - x**2]))


@dataclass(frozen=True)
class Provides(Problem):
    """Half the squared norm that claims to provide what it is told, and notes each evaluation."""

    provides: frozenset[str]
    dimension: int = 2
    visited: list[Floats] = field(default_factory=list)

    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        self.visited.append(x)
        return Expansion(0.5 * float(x @ x), x)


def broken() -> Function:
    """NaN everywhere."""
    return Function(lambda x: (np.nan, np.full(1, np.nan)), 1, hessian=lambda x: np.eye(1))


def cliff() -> Function:
    """A slope downhill from 1 that ends in NaN at 0.9."""

    def expand(x: Floats) -> tuple[float, Floats]:
        inside = x[0] > 0.9
        return float(x[0]) if inside else np.nan, np.array([1.0 if inside else np.nan])

    return Function(expand, 1, hessian=lambda x: np.eye(1))
