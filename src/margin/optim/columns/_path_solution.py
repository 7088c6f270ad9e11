"""How a descent along a path of strengths ended."""

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status, Stop
from margin.core.types import Floats


def path_solution(
    x: Floats,
    alphas: Floats,
    objectives: Floats,
    gaps: Floats,
    n_iters: NDArray[np.int64],
    *,
    scale: float,
    tol: float,
    max_iter: int,
    solver: str,
) -> Solution:
    """Report on all strengths as one: the sweeps of all, and the largest gap as certificate.

    Parameters
    ----------
    x : ndarray
        Minimiser for the last strength.
    alphas, objectives : ndarray of shape (k,)
        Strengths, and the objective for each.
    gaps : ndarray of shape (k,)
        Duality gaps.
    n_iters : ndarray of shape (k,)
        Sweeps.
    scale : float
        What the gaps are measured against.
    tol, max_iter : float, int
        What was asked of every strength.
    solver : str
        Name for the report.

    Examples
    --------
    >>> strengths = np.array([2.0, 1.0])
    >>> values, gaps = np.array([3.0, 2.0]), np.array([1e-9, 1e-2])
    >>> sweeps = np.array([3, 5])
    >>> path_solution(
    ...     np.zeros(1),
    ...     strengths,
    ...     values,
    ...     gaps,
    ...     sweeps,
    ...     scale=1.0,
    ...     tol=1e-4,
    ...     max_iter=5,
    ...     solver="descent",
    ... ).certificate
    relative duality gap 0.01 (tolerance 0.0001)
    """
    certificate = Certificate("relative duality gap", float(gaps.max()) / scale, tol)
    stop = Stop(certificate.kind, tol, max_iter, unit="sweep")
    status, message, n_iter = Status.CONVERGED, "", max(1, int(n_iters.sum()))
    if not certificate.holds and ((n_iters >= max_iter) & (gaps > tol * scale)).any():
        status, message = Status.MAX_ITER, stop.cut_short(certificate.value)
    elif not certificate.holds:
        status, message = Status.STALLED, stop.stalled(n_iter, certificate.value)
    return Solution(
        x=x,
        status=status,
        n_iter=n_iter,
        objective=float(objectives[-1]),
        trace={"objective": objectives, "alpha": alphas, "gap": gaps},
        certificate=certificate,
        solver=solver,
        message=message,
    )
