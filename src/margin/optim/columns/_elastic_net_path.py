"""The elastic net for a sequence of penalty strengths."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core import Solution
from margin.core.types import Floats
from margin.optim.columns._path_solution import path_solution
from margin.optim.columns._squares import Goal, Minima, Shrinkage, Squares
from margin.optim.columns._working_set import Point, measure, path, trusted

_MOST_SWEEPS = 1000


@dataclass(frozen=True)
class ElasticNetPath:
    """Minimisers along a path.

    Parameters
    ----------
    alphas : ndarray of shape (k,)
        Strengths, decreasing.
    coefs : ndarray of shape (p, k)
    intercepts, gaps : ndarray of shape (k,)
        Intercepts, and duality gaps; the last one from a residual computed afresh.
    n_iters : ndarray of shape (k,)
        Sweeps of coordinate descent, at most as many as allowed for each strength.
    solution : Solution
        Of the last strength; the certificate is the largest relative duality gap of the path.
    """

    alphas: Floats
    coefs: Floats
    intercepts: Floats
    gaps: Floats
    n_iters: NDArray[np.int64]
    solution: Solution


def strongest_penalty(problem: Squares, l1_ratio: float, *, positive: bool = False) -> float:
    r"""The least strength without any feature: :math:`\max_j |x_j^\top S (y - \bar y)| / \rho`.

    For the lasso with mean squares that is :math:`\max_j |x_j^\top (y - \bar y)| / n` (linear.14).
    """
    pull = Shrinkage(0.0, positive=positive).pull(problem.start)
    return float(pull.max(initial=0.0)) / l1_ratio


def elastic_net_path(
    problem: Squares,
    alphas: Floats,
    l1_ratio: float,
    *,
    tol: float,
    positive: bool = False,
    max_iter: int = _MOST_SWEEPS,
    exact: bool = True,
) -> ElasticNetPath:
    """Minimise for every strength, from the strongest on, each to a relative gap of ``tol``.

    With ``exact`` the last gap is measured on the data where products made before could mislead.
    """
    alphas = np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
    strengths = [Shrinkage(a * l1_ratio, a * (1 - l1_ratio), positive) for a in alphas]
    scale = problem.energy or 1.0
    minima = problem.whole_path(strengths, tol * scale, max_iter)
    if minima is None:
        goals = [Goal(gap=tol * scale)] * len(alphas)
        minima = _gathered(list(path(problem, strengths, goals, max_iter)))
    coefs, objectives = minima.coefs, minima.objectives
    gaps, n_iters = minima.gaps.copy(), minima.epochs
    intercepts = np.array([problem.intercept_at(w) for w in coefs.T])
    last = coefs[:, -1].copy()
    if exact and not trusted(problem, last, Goal(gap=tol * scale)):
        gaps[-1] = measure(problem, last, strengths[-1]).gap
    solution = path_solution(
        coefs[:, -1],
        alphas,
        objectives,
        gaps,
        n_iters,
        scale=scale,
        tol=tol,
        max_iter=max_iter,
        solver="coordinate descent along the path",
    )
    return ElasticNetPath(alphas, coefs, intercepts, gaps, n_iters, solution)


def _gathered(points: list[Point]) -> Minima:
    return Minima(
        np.array([point.w for point in points]).T,
        np.array([point.objective for point in points]),
        np.array([point.gap for point in points]),
        np.array([point.epochs for point in points], dtype=np.int64),
    )
