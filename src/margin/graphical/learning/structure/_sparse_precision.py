"""The engine of the graphical lasso."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import numpy as np

from margin.core import FitError, Iterate, Solution, Status, Stop, iterate
from margin.core.types import Floats
from margin.native.columns.coordinate import gram_descent


def sparse_precision(
    S: Floats, alpha: float, *, tol: float = 1e-4, max_iter: int = 200
) -> Solution:
    r"""Precision matrix of L1-penalised maximum likelihood.

    Minimises :math:`-\log\det \Theta + \operatorname{tr} S\Theta + \alpha \sum_{i \ne j}
    |\Theta_{ij}|`. Each sweep solves, for every column, a lasso whose matrix is the rest of the
    covariance estimate :math:`W`; the solution gives that column of :math:`W` and of
    :math:`\Theta`. The certificate is the gap to the dual :math:`\log\det W + p` over
    :math:`|W_{ij} - S_{ij}| \le \alpha`, :math:`W_{ii} = S_{ii}`.

    Returns
    -------
    Solution
        ``x`` is the precision, ``extras["covariance"]`` its inverse.

    Examples
    --------
    >>> S = np.array([[1.0, 0.6], [0.6, 1.0]])
    >>> sparse_precision(S, 0.1).extras["covariance"].round(4).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    S, repairs = _positive_diagonal(np.asarray(S, dtype=np.float64))
    # In units of the mean variance, tolerances mean the same at every scale.
    unit = float(np.diag(S).mean())
    S, penalty = S / unit, alpha / unit
    p = len(S)
    W = 0.95 * S + 0.05 * np.diag(np.diag(S)) if alpha > 0 else S.copy()
    beta = np.zeros((p, p))
    off = np.abs(S - np.diag(np.diag(S)))
    active = np.flatnonzero(off.max(axis=1, initial=0.0) > penalty).tolist()
    if alpha > 0:
        idle = np.setdiff1d(np.arange(p), active)
        W[idle, :] = 0.0
        W[:, idle] = 0.0
        W[idle, idle] = np.diag(S)[idle]
    # Without a penalty the answer is the inverse, where there is one.
    if alpha == 0 and not np.linalg.cond(S) < 1e14:
        return _singular(p, repairs)
    stop = Stop(
        "duality gap",
        tol,
        max_iter,
        unit="sweep",
        keep="last",
        columns=("gap",),
        advice=("raise tol",),
    )
    sweeps = _sweeps(S, W, beta, penalty, active)
    try:
        solution = iterate(sweeps, stop, solver="block coordinate descent")
    except FitError:
        return _singular(p, repairs)
    shift = p * np.log(unit)
    precision = solution.x / unit
    return replace(
        solution,
        x=precision,
        objective=solution.objective + shift,
        trace={**solution.trace, "objective": solution.trace["objective"] + shift},
        repairs=repairs,
        extras={"covariance": _inverse(precision)},
    )


def _sweeps(
    S: Floats, W: Floats, beta: Floats, penalty: float, active: list[int]
) -> Iterator[Iterate]:
    """A precision matrix after every sweep over the columns; ends where there is none."""
    for n_iter in count():
        theta, objective, bound = _certify(S, W, beta, penalty)
        if theta is None:
            return
        gap = max(objective - bound, 0.0)
        yield Iterate(theta, objective, gap if np.isfinite(gap) else None, n_iter, (gap,))
        for j in active:
            _column(S, W, beta, penalty, j)


def _singular(p: int, repairs: tuple[str, ...]) -> Solution:
    return Solution(
        x=np.full((p, p), np.nan),
        status=Status.FAILED,
        n_iter=0,
        objective=float("nan"),
        trace={"objective": np.empty(0), "gap": np.empty(0)},
        solver="block coordinate descent",
        message="the covariance matrix is singular; raise alpha",
        repairs=repairs,
        extras={"covariance": None},
    )


def _positive_diagonal(S: Floats) -> tuple[Floats, tuple[str, ...]]:
    """A constant column has no density: its variance becomes tiny, and that is recorded."""
    variance = np.diag(S)
    flat = variance <= 1e-14 * max(float(variance.max(initial=0.0)), 1e-300)
    if not flat.any():
        return S, ()
    raised = S.copy()
    raised[np.ix_(flat, flat)] = 0.0
    raised[flat, flat] = max(float(variance.max()), 1.0) * 1e-8
    return raised, (f"variance of {int(flat.sum())} constant columns raised",)


def _column(S: Floats, W: Floats, beta: Floats, penalty: float, j: int) -> None:
    """Solve the lasso of one column and write its covariances."""
    rest = np.arange(len(S) - 1)
    rest[j:] += 1
    gram = np.ascontiguousarray(W[rest[:, None], rest])
    w = np.ascontiguousarray(beta[rest, j])
    slope = np.empty_like(w)
    q = np.ascontiguousarray(S[rest, j])
    gram_descent(
        gram, q, w, slope, float(S[j, j]), penalty, 0.0,
        positive=False, max_epochs=1000, gap_tol=-1.0, slope_tol=1e-12,
    )  # fmt: skip
    beta[rest, j] = w
    W[rest, j] = W[j, rest] = gram @ w


def _certify(
    S: Floats, W: Floats, beta: Floats, penalty: float
) -> tuple[Floats | None, float, float]:
    """A precision matrix, its objective, and the dual value of the covariance estimate."""
    bound = -np.inf
    off = ~np.eye(len(S), dtype=bool)
    feasible = S + np.where(off, np.clip(W - S, -penalty, penalty), 0.0)
    sign, log_det = np.linalg.slogdet(feasible)
    if sign > 0 and np.isfinite(log_det):
        bound = float(log_det) + len(S)
    sparse = np.diag(1.0 / np.maximum(np.diag(W) - (W * beta).sum(axis=0), 1e-300))
    sparse = sparse - beta * np.diag(sparse)
    both = (sparse != 0) & (sparse.T != 0)
    sparse = np.where(both, 0.5 * (sparse + sparse.T), 0.0)
    best: Floats | None = None
    value = np.inf
    dense = None if np.linalg.cond(W) > 1e14 else _inverse(W)
    for candidate in (sparse, dense):
        if candidate is None:
            continue
        candidate_value = _objective(S, candidate, penalty)
        if candidate_value < value:
            best, value = candidate, candidate_value
    return best, value, bound


def _objective(S: Floats, theta: Floats, penalty: float) -> float:
    try:
        factor = np.linalg.cholesky(theta)
    except np.linalg.LinAlgError:
        return float("inf")
    log_det = 2.0 * float(np.log(np.diag(factor)).sum())
    size = float(np.abs(theta).sum() - np.abs(np.diag(theta)).sum())
    return -log_det + float((S * theta).sum()) + penalty * size


def _inverse(M: Floats) -> Floats:
    inverse = np.linalg.inv(M)
    return np.asarray((inverse + inverse.T) / 2)
