"""Non-negative factors by coordinate descent."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Bools, Floats
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem

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
    X = problem.X
    Xt = X.T.tocsr() if issparse(X) else np.ascontiguousarray(X.T)
    norm = float((X.multiply(X)).sum()) if issparse(X) else float(np.einsum("ij,ij->", X, X))
    norm = norm or 1.0
    W, Ht = np.asfortranarray(start.W), np.asfortranarray(start.H.T)
    cost = X.nnz / X.shape[0] if issparse(X) else X.shape[1]
    passes = max(1, min(_MOST_PASSES, int(0.5 * cost / W.shape[1])))
    first, count = 0.0, 0
    while True:
        gram = Ht.T @ Ht
        product = X @ Ht
        value = 0.5 * (norm - 2.0 * np.vdot(product, W) + np.vdot(W.T @ W, gram))
        loss = (value + problem.penalty(W, Ht)) / (0.5 * norm)
        W, slope_W = _passes(W, gram, product, problem.l1_W, problem.l2_W, passes)
        slope_H = 0.0
        if not problem.fixed_H:
            Ht, slope_H = _passes(Ht, W.T @ W, Xt @ W, problem.l1_H, problem.l2_H, passes)
        # Passes that are cheap leave less of the gradient than they gain.
        slope = (slope_W + slope_H) * (passes if count else 1)
        first = first or slope
        if count:
            before = seen._replace(objective=loss, certificate=slope / first if first else 0.0)
            yield before
        else:
            yield Iterate(Factors(start.W, start.H), loss, 1.0 if first else 0.0, 0)
        count += 1
        seen = Iterate(Factors(np.ascontiguousarray(W), np.ascontiguousarray(Ht.T)), loss, None, count)


def _passes(
    W: Floats, gram: Floats, product: Floats, l1: float, l2: float, most: int
) -> tuple[Floats, float]:
    """Passes over the columns, and the projected gradient before the first."""
    W = W.copy(order="F")
    product = np.asfortranarray(product)
    diagonal = np.diagonal(gram) + l2
    first = moved_first = 0.0
    for count in range(most):
        moved = 0.0
        for t in range(W.shape[1]):
            column = W[:, t]
            slope = W @ gram[:, t]
            slope -= product[:, t]
            if l1:
                slope += l1
            if l2:
                slope += l2 * column
            if count == 0:
                first += float(np.abs(np.where(column > 0, slope, np.minimum(slope, 0.0))).sum())
            if diagonal[t] <= 0:
                continue
            slope /= -diagonal[t]
            slope += column
            np.maximum(slope, 0.0, out=slope)
            column -= slope
            moved += float(column @ column)
            W[:, t] = slope
        moved_first = moved_first or moved
        if moved <= 0.01 * moved_first:
            break
    return W, first


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
