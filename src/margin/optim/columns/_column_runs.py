"""Coordinate descent as a sequence of states, for squares and for other smooth losses."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.optim._linear_problem import LinearProblem
from margin.optim.columns._newton_model import newton_model
from margin.optim.columns._prox_newton import Local, Rows, locate, prox_newton
from margin.optim.columns._squares import Goal, Shrinkage
from margin.optim.columns._working_set import Point, measure, rounds, squares_by_columns


@dataclass(frozen=True)
class ColumnState:
    """A point of the search, and what was measured there.

    Parameters
    ----------
    x : ndarray
        Coefficients and, last, the intercept if there is one.
    objective : float
    gap, violation : float
        Duality gap and largest violation of an optimality condition; infinite if not measured.
    counts : bool
        Whether an iteration led here, or only a measurement.
    epochs : int
        Sweeps over coordinates so far.
    """

    x: Floats
    objective: float
    gap: float = np.inf
    violation: float = np.inf
    counts: bool = True
    epochs: int = 0


class SquaresRun:
    """Working sets for the squared loss; ``scale`` is the energy of the centred targets.

    At most ``most`` sweeps over coordinates are made, without a limit by default.
    """

    def __init__(
        self, problem: LinearProblem, penalty: Shrinkage, x0: Floats, most: int | None = None
    ) -> None:
        self.problem, self.penalty, self.x0, self.most = problem, penalty, x0, most
        self.squares = squares_by_columns(
            compressed(problem),
            problem.y,
            problem.weight,
            intercept=problem.intercept,
            n_threads=problem.n_threads,
        )
        self.scale = self.squares.energy or 1.0

    def states(self, goal: Goal) -> Iterator[ColumnState]:
        """The start, then the state after every working set."""
        w = np.ascontiguousarray(self.x0[: self.problem.X.shape[1]])
        yield ColumnState(self.x0, self._objective_at_start(w))
        point = measure(self.squares, w, self.penalty)
        if point.reaches(goal):
            yield self._state(point)
            return
        for better in rounds(self.squares, point, self.penalty, goal, most=self.most):
            yield self._state(better)

    def _state(self, point: Point) -> ColumnState:
        b = [self.squares.intercept_at(point.w)] if self.problem.intercept else []
        x = np.concatenate([point.w, b])
        counts = point.epochs > 0 or not np.array_equal(x, self.x0)
        return ColumnState(x, point.objective, point.gap, point.violation, counts, point.epochs)

    def _objective_at_start(self, w: Floats) -> float:
        if w.any():
            return self.problem.expand(self.x0).value
        squares = self.squares
        away = squares.y_mean - (float(self.x0[-1]) if self.problem.intercept else 0.0)
        return 0.5 * (squares.energy + squares.total * away * away)


class NewtonRun:
    """Prox-Newton steps; ``scale`` is the objective of the best constant prediction."""

    def __init__(self, problem: LinearProblem, penalty: Shrinkage, x0: Floats) -> None:
        self.problem, self.penalty, self.x0 = problem, penalty, x0
        n = len(problem.y)
        weight = np.ones(n) if problem.weight is None else problem.weight
        self.rows = Rows(problem.loss, problem.y, weight)
        self.constant = self.rows.constant() if problem.intercept else 0.0
        null, _, _ = problem.loss.sweep(np.full(n, self.constant), problem.y, weight)
        self.scale = null or 1.0

    def states(self, goal: Goal) -> Iterator[ColumnState]:
        """The start, then the state after every Newton step, measured now and then."""
        start = self._start()
        yield ColumnState(self.x0, start.objective)
        if self.problem.intercept and not start.w.any():
            start = self._located(start.w, self.constant)
        model = newton_model(
            compressed(self.problem),
            intercept=self.problem.intercept,
            n_threads=self.problem.n_threads,
        )
        epochs = 0
        fresh = not np.array_equal(self._x(start), self.x0)
        for now in prox_newton(model, self.rows, start, self.penalty, goal):
            measured = np.isfinite(now.violation)
            reached = now.violation <= goal.violation or now.gap <= goal.gap
            epochs += now.epochs
            counts = not measured or (fresh and reached)
            fresh = fresh and measured and not reached and now.local is start
            yield ColumnState(
                self._x(now.local), now.local.objective, now.gap, now.violation, counts, epochs
            )

    def _start(self) -> Local:
        w = np.ascontiguousarray(self.x0[: self.problem.X.shape[1]])
        return self._located(w, float(self.x0[-1]) if self.problem.intercept else 0.0)

    def _located(self, w: Floats, b: float) -> Local:
        x = np.append(w, b) if self.problem.intercept else w
        z = self.problem.predictions(x)[:, 0] if w.any() else np.full(len(self.rows.y), b)
        return locate(self.rows, w, b, z, self.penalty)

    def _x(self, local: Local) -> Floats:
        return np.append(local.w, local.b) if self.problem.intercept else local.w


def compressed(problem: LinearProblem) -> Any:
    """The data by columns: as they are if dense, compressed columns (no copy) if sparse."""
    columns = problem._design.transposed
    return problem.X if columns is None else columns.T
