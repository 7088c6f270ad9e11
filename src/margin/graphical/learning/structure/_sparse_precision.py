"""The engine of the graphical lasso."""

from __future__ import annotations

import numpy as np

from margin.core import Certificate, Solution, Status
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
    trace: list[float] = []
    best, gap, n_iter = None, np.inf, 0
    # Without a penalty the answer is the inverse, where there is one.
    while alpha > 0 or np.linalg.cond(S) < 1e14:
        theta, objective, bound = _certify(S, W, beta, penalty)
        if theta is None:
            break
        trace.append(objective + p * np.log(unit))
        best, gap = theta, objective - bound
        if gap <= tol or n_iter >= max_iter:
            break
        for j in active:
            _column(S, W, beta, penalty, j)
        n_iter += 1
    if best is None:
        status, message = Status.FAILED, "the covariance matrix is singular; raise alpha"
    elif gap <= tol:
        status, message = Status.CONVERGED, ""
    else:
        status = Status.MAX_ITER
        message = f"duality gap {gap:.3g} after max_iter={max_iter} sweeps; raise max_iter or tol"
    precision = np.full((p, p), np.nan) if best is None else best / unit
    return Solution(
        x=precision,
        status=status,
        n_iter=n_iter,
        objective=trace[-1] if trace else float("nan"),
        trace={"objective": np.array(trace)},
        certificate=Certificate("duality gap", float(max(gap, 0.0)), tol),
        solver="block coordinate descent",
        message=message,
        repairs=repairs,
        extras={"covariance": None if best is None else _inverse(precision)},
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
    rest = np.delete(np.arange(len(S)), j)
    gram = np.ascontiguousarray(W[np.ix_(rest, rest)])
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
    found: Floats | None = None
    value = np.inf
    dense = None if np.linalg.cond(W) > 1e14 else _inverse(W)
    for candidate in (sparse, dense):
        if candidate is None:
            continue
        candidate_value = _objective(S, candidate, penalty)
        if candidate_value < value:
            found, value = candidate, candidate_value
    return found, value, bound


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
