"""Penalised least squares by growing sub-problems, certified by the true duality gap."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.optim._squares import Squares

Floats = NDArray[np.float64]
Index = NDArray[np.int64]

_FIRST = 100
_MOST_ROUNDS = 100


@dataclass(frozen=True)
class Point:
    """Where the descent stands: coefficients, products of columns and residual, certificate."""

    w: Floats
    correlations: Floats
    objective: float
    gap: float
    epochs: int = 0
    rounds: int = 0


def evaluate(problem: Squares, w: Floats, l1: float, l2: float, *, positive: bool) -> Point:
    r = problem.residual(w)
    c = problem.correlations(r)
    objective, gap = gap_of(r, problem.target, c, w, l1, l2, positive=positive)
    return Point(w, c, objective, gap)


def gap_of(r, target, c, w, l1, l2, *, positive):
    ridge = l2 * float(w @ w)
    along, square = float(r @ target), float(r @ r) + ridge
    primal = 0.5 * square + l1 * float(np.abs(w).sum())
    free = c - l2 * w
    worst = float(free.max(initial=0.0) if positive else np.abs(free).max(initial=0.0))
    limit = l1 / worst if worst > l1 else 1.0
    t = min(max(along / square, 0.0), limit) if square > 0 else 0.0
    dual = t * along - 0.5 * t * t * square
    if l2 > 0:
        over = np.maximum((c if positive else np.abs(c)) - l1, 0.0)
        rr = square - ridge
        dual = max(dual, along - 0.5 * rr - float(over @ over) / (2 * l2))
    return primal, max(primal - dual, 0.0)


def descend(problem: Squares, point: Point, l1, l2, tol, *, positive=False, before=None) -> Point:
    """Minimise from a point known at penalty ``before``."""
    target = tol * problem.energy
    w = point.w.copy()
    epochs = 0
    current = point
    for rounds in range(1, _MOST_ROUNDS):
        index = _choose(current, l1, before if rounds == 1 else None, positive)
        inner = (
            max(0.9 * target, 1e-2 * current.gap)
            if rounds == 1 and before is None
            else 0.9 * target
        )
        epochs += problem.solve(index, w, l1, l2, positive=positive, gap_tol=inner)
        current = evaluate(problem, w, l1, l2, positive=positive)
        if current.gap <= target:
            break
    return Point(w, current.correlations, current.objective, current.gap, epochs, rounds)


def _choose(current: Point, l1, before, positive):
    size = current.correlations if positive else np.abs(current.correlations)
    support = np.flatnonzero(current.w)
    if before is not None:
        wanted = np.flatnonzero(size >= 2 * l1 - before)
    else:
        wanted = np.flatnonzero(size > l1)
        room = max(_FIRST, len(support))
        if len(wanted) > room:
            wanted = wanted[np.argpartition(-size[wanted], room)[:room]]
    return np.union1d(support, wanted)
