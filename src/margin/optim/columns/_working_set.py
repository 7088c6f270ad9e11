"""Penalised least squares by growing sub-problems, certified by the true duality gap."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats, Indices
from margin.optim.columns._dense_squares import DenseSquares
from margin.optim.columns._duality_gap import squares_gap
from margin.optim.columns._sparse_squares import SparseSquares
from margin.optim.columns._squares import MOST_SWEEPS, Goal, Shrinkage, Squares

_FEW_COLUMNS = 128
_FIRST = 100
_PATIENCE = 3
_MATTERS = 1e-3
_SMALL = 2**16
_FULL, _ROOM = 8, 2**22


@dataclass(frozen=True)
class Point:
    """Where a descent stands.

    Parameters
    ----------
    w : ndarray of shape (p,)
        Coefficients.
    correlations : ndarray of shape (p,)
        Products of the columns with the residual there: minus the slope.
    objective, gap, violation : float
        Objective, duality gap, and the largest violation of an optimality condition.
    epochs : int
        Sweeps made so far.
    """

    w: Floats
    correlations: Floats
    objective: float
    gap: float
    violation: float
    epochs: int = 0

    def reaches(self, goal: Goal) -> bool:
        """Whether one of the goals is met."""
        return self.gap <= goal.gap or self.violation <= goal.violation


def squares_by_columns(
    X: Any,
    y: Floats,
    weight: Floats | None,
    *,
    intercept: bool,
    n_threads: int = 1,
    many: bool = False,
) -> Squares:
    """Least squares by columns for the kind of data; ``many`` problems are to be solved."""
    if issparse(X) and _better_dense(X):
        X = X.toarray(order="C")
    if issparse(X):
        return SparseSquares(X, y, weight, intercept=intercept, n_threads=n_threads)
    n, p = X.shape
    X = X if X.itemsize in X.strides else np.ascontiguousarray(X)
    full = p <= min(n, _FEW_COLUMNS) or (many and 4 * p <= n and p <= 10 * _FEW_COLUMNS)
    return DenseSquares(X, y, weight, intercept=intercept, n_threads=n_threads, full_gram=full)


def _better_dense(X: Any) -> bool:
    """Whether a sparse table is so small, or so full, that dense columns are cheaper."""
    size = X.shape[0] * X.shape[1]
    return bool(size <= _SMALL or (size <= _FULL * X.nnz and size <= _ROOM))


def measure(
    problem: Squares, w: Floats, penalty: Shrinkage, epochs: int = 0, *, exact: bool = True
) -> Point:
    """The point at ``w``; ``exact`` from a residual computed afresh."""
    left = problem.fitted(w, exact=exact)
    objective, gap = squares_gap(left, w, penalty)
    violation = float(penalty.violation(w, -left.correlations).max(initial=0.0))
    return Point(w, left.correlations, objective, gap, violation, epochs)


def trusted(problem: Squares, w: Floats, goal: Goal) -> bool:
    """Whether the rounding of products is far too small to matter for the goal."""
    return problem.rounding(w) <= _MATTERS * goal.gap


def rounds(
    problem: Squares,
    start: Point,
    penalty: Shrinkage,
    goal: Goal,
    before: float | None = None,
    *,
    most: int | None = None,
    exact: bool = True,
) -> Iterator[Point]:
    """Points after each working set, until the goal is met or nothing moves any more.

    At most ``most`` sweeps are made, without a limit by default.

    ``before`` is the L1 strength at which ``start`` is a minimum, if there is one: columns that
    could not catch up with the change of strength are left out at first (the strong rule; what it
    gets wrong is mended by the next round).
    """
    current, w, sharp, idle = start, start.w.copy(), 0.9, 0
    left = MOST_SWEEPS if most is None else most
    everything = np.arange(problem.shape[1] if problem.full else 0)
    first_goal = goal if before is not None or problem.full else _easier(goal, start)
    while idle < _PATIENCE and left > 0:
        index = everything if problem.full else _working_set(current, penalty, before)
        aim = (first_goal if current is start else goal).times(sharp)
        epochs = problem.solve(index, w, penalty, aim, left)
        afresh = exact and not trusted(problem, w, goal)
        point = measure(problem, w.copy(), penalty, current.epochs + epochs, exact=afresh)
        moved = point.gap < 0.5 * current.gap or point.violation < 0.5 * current.violation
        settled = problem.full or not _asking(point, penalty, index)
        idle = idle + 1 if settled and not moved else 0
        sharp = 0.1 * sharp if settled else sharp
        current, before = point, None
        left = MOST_SWEEPS if most is None else most - point.epochs
        yield point
        if point.reaches(goal):
            return


def path(
    problem: Squares, penalties: list[Shrinkage], goals: list[Goal], most: int
) -> Iterator[Point]:
    """Points for decreasing penalties, each started from where the last two lead.

    ``most`` sweeps are made for each.

    Between changes of the support the minimiser moves along a line in the strength, so the line
    through the last two minima is a better start than the last one.
    """
    zero = np.zeros(problem.shape[1])
    point, before, last = measure(problem, zero, penalties[0]), None, zero
    for k, (penalty, goal) in enumerate(zip(penalties, goals, strict=True)):
        start = point.w
        if k > 1:
            step = penalties[k - 1].l1 - penalties[k - 2].l1
            ahead = (penalty.l1 - penalties[k - 1].l1) / step if step else 0.0
            start = start + ahead * (start - last)
            start[np.sign(start) != np.sign(point.w)] = 0.0
        last = point.w
        # The correlations are those of the last minimum: what the strong rule asks for.
        predicted = replace(point, w=start, epochs=0)
        for nearer in rounds(problem, predicted, penalty, goal, before, most=most, exact=False):
            point = nearer
        before = penalty.l1
        yield point


def _easier(goal: Goal, start: Point) -> Goal:
    """A first sub-problem that guesses its columns deserves no precise answer."""
    return Goal(
        max(goal.gap, 1e-2 * start.gap) if goal.gap >= 0 else goal.gap,
        max(goal.violation, 1e-2 * start.violation) if goal.violation >= 0 else goal.violation,
    )


def _asking(point: Point, penalty: Shrinkage, index: Indices) -> bool:
    """Whether a column outside the working set asks to enter."""
    asks = penalty.pull(point.correlations) > penalty.l1
    asks[index] = False
    return bool(asks.any())


def _working_set(current: Point, penalty: Shrinkage, before: float | None) -> Indices:
    """The support and the columns that ask to enter, at most as many as there are already."""
    pull = penalty.pull(current.correlations)
    held = np.flatnonzero(current.w)
    if before is not None:
        wanted = np.flatnonzero(pull >= 2 * penalty.l1 - before)
    else:
        wanted = np.flatnonzero((pull > penalty.l1) & (current.w == 0.0))
        room = max(_FIRST, len(held))
        if len(wanted) > room:
            wanted = wanted[np.argpartition(-pull[wanted], room)[:room]]
    return np.union1d(held, wanted)
