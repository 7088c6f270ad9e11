"""Non-negative factors by coordinate descent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Stop, iterate, threads
from margin.core.types import Bools, Floats
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem, advice
from margin.native.factors.nonnegative import nonnegative_passes

_MOST_PASSES = 8
_PULL = 0.8  # most of a step that is made again
_SHARE = 0.01  # of the terms of the gradient, where the start is already good


def coordinate_descent(
    problem: NMFProblem, start: Factors, *, tol: float, max_iter: int
) -> Solution:
    r"""Minimise over one column of ``W``, then one row of ``H`` at a time (decomposition.15).

    .. math:: w_t \leftarrow \left[ w_t + \frac{X h_t^\top - W H h_t^\top - \lambda_W - \mu_W w_t}
              {h_t h_t^\top + \mu_W} \right]_+

    The products with ``X`` cost most, so the cheap passes over the columns are repeated while they
    still help; between iterations the factors are extrapolated, and taken back where the objective
    would rise. With gaps the sums run over observed entries only. Ends when the projected gradient
    has fallen to ``tol`` of its first value, or of a hundredth of its terms.

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
        advice=advice(max_iter),
    )
    solution = iterate(states, stop, solver="coordinate descent")
    factors: Factors = solution.x
    return replace(solution, x=Factors(np.ascontiguousarray(factors.W), factors.H))


def _states(problem: NMFProblem, start: Factors) -> Iterator[Iterate]:
    table = _Table.of(problem, start.H)
    here = there = _Point(np.ascontiguousarray(start.W.T), np.ascontiguousarray(start.H))
    loss, scale = table.loss(here, table.right(here.H)), 0.0
    count, pull, most, plain = 0, 0.5, _PULL, here.W
    yield Iterate(start, loss, None, 0)
    while True:
        count += 1
        step = table.step(there, plain, pull, count == 1)
        if step.loss > loss:
            # The extrapolation went too far: back to where the objective was lowest.
            most, pull = pull, pull / 1.5
            step = table.step(here, here.W, 0.0, count == 1)
        else:
            most = min(_PULL, 1.01 * most)
            pull = min(most, 1.05 * pull)
        scale = scale or max(step.slope, _SHARE * step.terms)
        certificate = step.slope / scale if scale else 0.0
        # The next table starts a little further along the way just made.
        beyond = np.maximum(step.at.H + pull * (step.at.H - here.H), 0.0)
        here, there = step.at, _Point(step.at.W, beyond if not problem.fixed_parts else step.at.H)
        loss, plain = step.loss, step.plain
        yield Iterate(Factors(here.W.T, here.H), loss, certificate, count)


class _Point(NamedTuple):
    """Transposed weights and parts, both of shape (k, ·)."""

    W: Floats
    H: Floats


class _Step(NamedTuple):
    """Where an iteration leads, the weights before they were extrapolated, and what it saw."""

    at: _Point
    plain: Floats
    loss: float
    slope: float
    terms: float


@dataclass(frozen=True)
class _Table:
    """A problem without gaps, ready for iterations."""

    problem: NMFProblem
    Xt: Any
    norm: float
    passes: int

    @classmethod
    def of(cls, problem: NMFProblem, H: Floats) -> "_Table":
        X = problem.X
        Xt = X.T.tocsr() if issparse(X) else X.T
        norm = float((X.multiply(X)).sum()) if issparse(X) else float(np.einsum("ij,ij->", X, X))
        # Passes that take as long again as the products.
        return cls(problem, Xt, norm or 1.0, min(_MOST_PASSES, int(1 + X.shape[1] / (20 * len(H)))))

    def right(self, H: Floats) -> Floats:
        return _product(H, self.problem.X)

    def loss(self, at: _Point, right: Floats) -> float:
        """Objective over half the squared norm, given ``H @ X.T``."""
        return self._loss(at, at.W @ at.W.T, float(np.vdot(right, at.W)))

    def _loss(self, at: _Point, gram: Floats, cross: float) -> float:
        value = 0.5 * (self.norm - 2.0 * cross + float(np.vdot(gram, at.H @ at.H.T)))
        return (value + self.problem.penalty(at.W, at.H)) / (0.5 * self.norm)

    def step(self, at: _Point, plain: Floats, pull: float, first: bool) -> _Step:
        """Weights, extrapolated by ``pull`` from those before, then parts."""
        problem, W, H = self.problem, at.W.copy(), at.H.copy()
        right = self.right(H)
        slope = self._pass(W, H @ H.T, right, problem.lasso_weights, problem.ridge_weights)
        further = W
        if pull:
            further = np.subtract(W, plain)
            further *= pull
            further += W
            np.maximum(further, 0.0, out=further)
        left = _product(further, self.Xt)
        terms = float(right.sum() + left.sum()) if first else 0.0
        gram = further @ further.T
        if not problem.fixed_parts:
            slope += self._pass(H, gram, left, problem.lasso_parts, problem.ridge_parts)
        new = _Point(further, H)
        return _Step(new, W, self._loss(new, gram, float(np.vdot(left, H))), slope, terms)

    def _pass(self, A: Floats, gram: Floats, product: Floats, l1: float, l2: float) -> float:
        return nonnegative_passes(
            A, gram, product, l1=l1, l2=l2, passes=self.passes, n_threads=threads.count(None)
        )


def _product(H: Floats, X: Any) -> Floats:
    """``H @ X.T`` in C order, of a dense or a sparse table."""
    return np.ascontiguousarray((X @ H.T).T) if issparse(X) else np.asarray(H @ X.T)


def _masked(problem: NMFProblem, start: Factors) -> Iterator[Iterate]:
    """The same over observed entries; the residual is kept up to date."""
    seen = np.asarray(problem.seen)
    norm = float(np.einsum("ij,ij->", problem.X, problem.X)) or 1.0
    W, H = start.W.copy(), start.H.copy()
    count, first = 0, 0.0
    while True:
        left: Any = np.where(seen, problem.X - W @ H, 0.0)
        loss = (0.5 * float(np.vdot(left, left)) + problem.penalty(W, H)) / (0.5 * norm)
        measure = _gradient(problem, left, W, H)
        first = first or max(measure, _SHARE * float((W.T @ problem.X).sum()))
        yield Iterate(Factors(W, H), loss, measure / first if first else 0.0, count)
        W, left = _sweep(W, H, left, seen, problem.lasso_weights, problem.ridge_weights)
        if not problem.fixed_parts:
            Ht, _ = _sweep(H.T, W.T, left.T, seen.T, problem.lasso_parts, problem.ridge_parts)
            H = np.ascontiguousarray(Ht.T)
        count += 1


def _gradient(problem: NMFProblem, left: Floats, W: Floats, H: Floats) -> float:
    """Sum of the absolute projected gradient."""
    slopes = [(W, problem.lasso_weights + problem.ridge_weights * W - left @ H.T)]
    if not problem.fixed_parts:
        slopes.append((H, problem.lasso_parts + problem.ridge_parts * H - W.T @ left))
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
