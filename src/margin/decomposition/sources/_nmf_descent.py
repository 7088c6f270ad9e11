"""Non-negative factors by coordinate descent."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Stop, iterate, threads
from margin.core.types import Bools, Floats
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem
from margin.native.factors.nonnegative import nonnegative_passes

_MOST_PASSES = 8


def coordinate_descent(
    problem: NMFProblem, start: Factors, *, tol: float, max_iter: int
) -> Solution:
    r"""Minimise over one column of ``W``, then one row of ``H`` at a time (decomposition.15).

    .. math:: w_t \leftarrow \left[ w_t + \frac{X h_t^\top - W H h_t^\top - \lambda_W - \mu_W w_t}
              {h_t h_t^\top + \mu_W} \right]_+

    The products with ``X`` cost most, so the cheap passes over the columns are repeated while they
    still help. With gaps the sums run over observed entries only. Ends when the projected gradient
    has fallen to ``tol`` of its first value.

    Notes
    -----
    :math:`O(n p k)` an iteration; with gaps the same, a column at a time.
    """
    states = _states(problem, start) if problem.seen is None else _masked(problem, start)
    stop = Stop(
        "projected gradient relative to the start",
        tol,
        max_iter,
        monotone=1e-9,
        advice=("raise tol",),
    )
    return iterate(states, stop, solver="coordinate descent")


def _states(problem: NMFProblem, start: Factors) -> Iterator[Iterate]:
    X, n_threads = problem.X, threads.count(None)
    Xt = X.T.tocsr() if issparse(X) else X.T
    norm = float((X.multiply(X)).sum()) if issparse(X) else float(np.einsum("ij,ij->", X, X))
    norm = norm or 1.0
    Wt, H = np.ascontiguousarray(start.W.T), np.ascontiguousarray(start.H)
    cost = X.nnz / X.shape[0] if issparse(X) else X.shape[1]
    passes = min(_MOST_PASSES, int(1 + cost / (20 * len(H))))  # as much again as the products
    count, first = 0, 0.0
    shown = Factors(start.W, start.H)
    while True:
        gram, product = H @ H.T, _product(H, X)
        value = 0.5 * (norm - 2.0 * np.vdot(product, Wt) + np.vdot(Wt @ Wt.T, gram))
        loss = (value + problem.penalty(Wt, H)) / (0.5 * norm)
        Wt, H = Wt.copy(), H.copy()
        nets = {"l1": problem.l1_W, "l2": problem.l2_W, "passes": passes, "n_threads": n_threads}
        slope = nonnegative_passes(Wt, gram, product, **nets)
        if not problem.fixed_H:
            nets |= {"l1": problem.l1_H, "l2": problem.l2_H}
            slope += nonnegative_passes(H, Wt @ Wt.T, _product(Wt, Xt), **nets)
        # Passes that are cheap leave less of the gradient than they gain.
        slope *= passes if count else 1
        first = first or slope
        yield Iterate(shown, loss, slope / first if first else 0.0, count)
        count += 1
        shown = Factors(np.ascontiguousarray(Wt.T), H)


def _product(H: Floats, X: Any) -> Floats:
    """``H @ X.T`` in C order, of a dense or a sparse table."""
    return np.ascontiguousarray((X @ H.T).T)


def _masked(problem: NMFProblem, start: Factors) -> Iterator[Iterate]:
    """The same over observed entries; the residual is kept up to date."""
    seen = np.asarray(problem.seen)
    norm = float(np.einsum("ij,ij->", problem.X, problem.X)) or 1.0
    W, H = start.W.copy(), start.H.copy()
    count, slope, first = 0, 0.0, 0.0
    while True:
        left: Any = np.where(seen, problem.X - W @ H, 0.0)
        loss = (0.5 * float(np.vdot(left, left)) + problem.penalty(W, H)) / (0.5 * norm)
        measure = _gradient(problem, left, W, H)
        first = first or measure
        yield Iterate(Factors(W, H), loss, measure / first if first else 0.0, count)
        W, left = _sweep(W, H, left, seen, problem.l1_W, problem.l2_W)
        if not problem.fixed_H:
            Ht, _ = _sweep(H.T, W.T, left.T, seen.T, problem.l1_H, problem.l2_H)
            H = np.ascontiguousarray(Ht.T)
        count += 1


def _gradient(problem: NMFProblem, left: Floats, W: Floats, H: Floats) -> float:
    """Sum of the absolute projected gradient."""
    slopes = [(W, problem.l1_W + problem.l2_W * W - left @ H.T)]
    if not problem.fixed_H:
        slopes.append((H, problem.l1_H + problem.l2_H * H - W.T @ left))
    return float(sum(np.abs(np.where(a > 0, s, np.minimum(s, 0.0))).sum() for a, s in slopes))


def _sweep(
    W: Floats, H: Floats, left: Floats, seen: Bools, l1: float, l2: float
) -> tuple[Floats, Floats]:
    W, left, mask = W.copy(), left.copy(), seen.astype(np.float64)
    for t in range(W.shape[1]):
        size = mask @ H[t] ** 2
        top = left @ H[t] + W[:, t] * size - l1
        new = np.divide(np.maximum(top, 0.0), size + l2, out=np.zeros(len(W)), where=size + l2 > 0)
        left -= mask * np.outer(new - W[:, t], H[t])
        W[:, t] = new
    return W, left
