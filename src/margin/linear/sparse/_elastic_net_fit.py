"""What Lasso and ElasticNet share: one engine call per target."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin import losses, optim, penalties
from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Matrix
from margin.linear.sparse._convergence_words import in_known_words


@dataclass(frozen=True)
class ElasticNetSettings:
    """What is minimised, and how far.

    Parameters
    ----------
    alpha, l1_ratio : float
        Strength of the penalty and share of the absolute values in it.
    intercept, positive : bool
        Whether there is an intercept, and whether coefficients must be at least 0.
    tol, max_iter : float and int
        Relative duality gap that counts as zero, and most sweeps over the coordinates.
    n_threads : int
    """

    alpha: float
    l1_ratio: float
    intercept: bool
    positive: bool
    tol: float
    max_iter: int
    n_threads: int


@dataclass(frozen=True, eq=False)
class ElasticNetFit:
    """Coefficients of one target, or of several, as scikit-learn shapes them.

    Parameters
    ----------
    coef : ndarray of shape (p,) or (k, p)
        One target in a table of one column is one target.
    intercept : float or ndarray of shape (k,)
    n_iter : int or list of int
        Sweeps of each target.
    gap : float or ndarray of shape (k,)
        Duality gap of each target.
    solution : Solution
        All of them as one.
    """

    coef: Array
    intercept: Any
    n_iter: int | list[int]
    gap: float | Floats
    solution: Solution


def fit_elastic_net(
    X: Matrix,
    y: Floats,
    weight: Floats | None,
    settings: ElasticNetSettings,
    starts: Sequence[Floats | None],
    tick: Callback | None = None,
    owner: str = "ElasticNet",
) -> ElasticNetFit:
    """Minimise for every target, from its start.

    Examples
    --------
    >>> settings = ElasticNetSettings(0.5, 1.0, True, False, 1e-9, 100, 1)
    >>> X = np.array([[-1.0, 0], [1, 0], [0, -1], [0, 1]])
    >>> fit_elastic_net(X, np.array([-3.0, 3, -1, 1]), None, settings, [None]).coef
    array([2., 0.])
    """
    shares = np.full(len(y), 1.0 / len(y)) if weight is None else weight / weight.sum()
    solver = optim.CoordinateDescent(
        tol=settings.tol,
        max_iter=settings.max_iter,
        positive=settings.positive,
        max_sweeps=settings.max_iter,
    )
    solutions = []
    for target, start in zip(y.reshape(len(y), -1).T, starts, strict=True):
        problem = optim.LinearProblem(
            X,
            target,
            shares,
            losses.Squared(),
            penalties.ElasticNet(settings.alpha, settings.l1_ratio),
            intercept=settings.intercept,
            n_threads=settings.n_threads,
        )
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused by name
            solutions.append(solver.run(problem, start, tick))
        if not np.isfinite(solutions[-1].x).all():
            raise ValueError(
                f"{owner}: Coordinate descent iterations resulted in non-finite parameter values: "
                "X and y must be far from the largest number, got squares that overflow; scale them"
            )
    fresh = all(start is None for start in starts)
    return _gathered(solutions, X.shape[1], X.dtype, single=y.ndim == 1, least=int(fresh))


def warm_starts(
    coef: Array | None, intercept: Any, n_targets: int, n_features: int, *, with_intercept: bool
) -> list[Floats | None]:
    """Coefficients of the last fit as starts where they fit the data, else nothing.

    Examples
    --------
    >>> warm_starts(np.array([1.0, 2.0]), 3.0, 1, 2, with_intercept=True)
    [array([1., 2., 3.])]
    >>> warm_starts(None, 0.0, 2, 2, with_intercept=True)
    [None, None]
    """
    nothing: list[Floats | None] = [None] * n_targets
    if coef is None:
        return nothing
    table = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    if table.shape != (n_targets, n_features):
        return nothing
    if not with_intercept:
        return list(table)
    levels = np.broadcast_to(np.atleast_1d(intercept), (n_targets,))
    return [np.append(w, b) for w, b in zip(table, levels, strict=True)]


def _gathered(
    solutions: list[Solution], p: int, dtype: Any, *, single: bool, least: int
) -> ElasticNetFit:
    one = len(solutions) == 1
    coef = np.array([s.x[:p] for s in solutions]).astype(dtype)
    levels = np.array([s.x[p:] for s in solutions]).astype(dtype)
    intercept: Any = 0.0
    if levels.shape[1]:
        intercept = levels[0, 0] if single else levels[:, 0]
    counts = [max(least, int(s.extras["epochs"])) for s in solutions]
    gaps = [float(s.extras["gap"]) for s in solutions]
    return ElasticNetFit(
        coef=coef[0] if one else coef,
        intercept=intercept,
        n_iter=counts[0] if one else counts,
        gap=gaps[0] if one else np.array(gaps),
        solution=in_known_words(
            replace(Solution.merge(solutions, parts="targets"), n_iter=max(counts))
        ),
    )
