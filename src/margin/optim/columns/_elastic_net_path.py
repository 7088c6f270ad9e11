"""The elastic net for a sequence of penalty strengths."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status, Stop
from margin.core.types import Floats
from margin.optim.columns._squares import Goal, Shrinkage, Squares
from margin.optim.columns._working_set import measure, path

_MOST_ROUNDS = 100


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
        Sweeps of coordinate descent.
    rounds : ndarray of shape (k,)
        Working sets solved for each strength, at most as many as allowed.
    solution : Solution
        Of the last strength; the certificate is the largest relative duality gap of the path.
    """

    alphas: Floats
    coefs: Floats
    intercepts: Floats
    gaps: Floats
    n_iters: NDArray[np.int64]
    rounds: NDArray[np.int64]
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
    max_rounds: int = _MOST_ROUNDS,
) -> ElasticNetPath:
    """Minimise for every strength, from the strongest on, each to a relative gap of ``tol``."""
    alphas = np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
    strengths = [Shrinkage(a * l1_ratio, a * (1 - l1_ratio), positive) for a in alphas]
    scale = problem.energy or 1.0
    goals = [Goal(gap=tol * scale)] * len(alphas)
    coefs = np.zeros((problem.shape[1], len(alphas)))
    gaps, intercepts = np.zeros(len(alphas)), np.zeros(len(alphas))
    rounds = np.zeros(len(alphas), dtype=np.int64)
    n_iters, objectives = np.zeros(len(alphas), dtype=np.int64), np.zeros(len(alphas))
    cut_short = False
    for k, (point, n_rounds) in enumerate(path(problem, strengths, goals, max_rounds)):
        coefs[:, k], gaps[k], n_iters[k] = point.w, point.gap, point.epochs
        rounds[k] = n_rounds
        intercepts[k], objectives[k] = problem.intercept_at(point.w), point.objective
        cut_short |= n_rounds >= max_rounds and point.gap > tol * scale
    gaps[-1] = measure(problem, coefs[:, -1].copy(), strengths[-1]).gap
    certificate = Certificate("relative duality gap", float(gaps.max()) / scale, tol)
    stop = Stop(certificate.kind, tol, max_rounds, unit="working set")
    status, message, n_iter = Status.CONVERGED, "", max(1, int(n_iters.sum()))
    if not certificate.holds and cut_short:
        status, message = Status.MAX_ITER, stop.cut_short(certificate.value)
    elif not certificate.holds:
        status, message = Status.STALLED, stop.stalled(n_iter, certificate.value)
    solution = Solution(
        x=coefs[:, -1],
        status=status,
        n_iter=n_iter,
        objective=float(objectives[-1]),
        trace={"objective": objectives, "alpha": alphas, "gap": gaps},
        certificate=certificate,
        solver="coordinate descent along the path",
        message=message,
    )
    return ElasticNetPath(alphas, coefs, intercepts, gaps, n_iters, rounds, solution)
