"""Learning the hyper-parameters of a model: one search, restarts, or a search of the user's."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import FitError, Solution, Status, progress, threads
from margin.core.types import Floats
from margin.gp.learning._search import search
from margin.gp.learning._settings import LearningSettings
from margin.gp.solvers._interface import Evaluation, Solver

Evaluate = Callable[..., Evaluation]
Draw = Callable[[bool], Floats]

_FEW_ROWS = 256  # whose matrices one thread factors sooner than two can agree


@dataclass(frozen=True, eq=False)
class Learned:
    """Kernel and solver at the best unknowns, the search, and what to tell a reader.

    Parameters
    ----------
    kernel : Kernel
    solver : Solver
    solution : Solution
        The objective is the negative log marginal likelihood per row.
    error : float or None
        Standard error of the log marginal likelihood, None where it is exact.
    notes : tuple of str
    """

    kernel: Any
    solver: Any
    solution: Solution
    error: float | None = None
    notes: tuple[str, ...] = ()


def learn(
    settings: LearningSettings, kernel: Any, solver: Solver, seen: Any, rng: np.random.Generator
) -> Learned:
    """Maximise the solver's objective over the hyper-parameters of the kernel.

    Parameters
    ----------
    settings : LearningSettings
    kernel, solver
        Where the search starts.
    seen : object
        Data, as the solver takes them.
    rng : numpy.random.Generator
        Draws the other starts.
    """
    if seen.n <= _FEW_ROWS:
        with threads.single_blas():
            return _learn(settings, kernel, solver, seen, rng)
    return _learn(settings, kernel, solver, seen, rng)


def _learn(
    settings: LearningSettings, kernel: Any, solver: Solver, seen: Any, rng: np.random.Generator
) -> Learned:
    p = len(kernel.theta)
    start = np.concatenate([kernel.theta, solver.extra()])

    def evaluate(theta: Floats, gradient: bool = True) -> Evaluation:
        there = kernel.with_theta(theta[:p])
        return solver.with_extra(theta[p:]).evaluate(there, seen, gradient=gradient)

    if settings.optimizer is None or not start.size:
        at = evaluate(start, gradient=False)
        fixed = Solution(start, Status.CONVERGED, 0, -at.value / seen.n, solver="no search")
        return Learned(kernel, solver, fixed, at.error)
    box = _box(kernel, solver, start, p)
    notes: tuple[str, ...] = ()
    if callable(settings.optimizer):
        solution = _foreign(settings.optimizer, evaluate, start, box, seen.n)
    else:
        fine = replace(settings, tol=max(settings.tol, solver.resolution(seen.n)))
        solution, notes = _restarted(fine, evaluate, _starts(start, box, p, rng), box, seen.n)
    return Learned(
        kernel.with_theta(solution.x[:p]),
        solver.with_extra(solution.x[p:]),
        solution,
        solution.extras["error"],
        notes,
    )


def _box(kernel: Any, solver: Solver, start: Floats, p: int) -> Floats:
    """Bounds of the unknowns, wide enough for the start."""
    box = np.empty((len(start), 2))
    box[:p], box[p:] = kernel.bounds, solver.bounds()
    box[:, 0] = np.minimum(box[:, 0], start)
    box[:, 1] = np.maximum(box[:, 1], start)
    return box


def _starts(start: Floats, box: Floats, p: int, rng: np.random.Generator) -> Draw:
    """Draws a start whose hyper-parameters are anywhere in the box, evenly in logarithms."""
    low, high = box[:p].T

    def draw(first: bool) -> Floats:
        return start if first else np.concatenate([rng.uniform(low, high), start[p:]])

    return draw


def _restarted(
    settings: LearningSettings, evaluate: Evaluate, draw: Draw, box: Floats, n: int
) -> tuple[Solution, tuple[str, ...]]:
    """The best of several searches, and the value that each one reached."""
    searches: list[Solution] = []
    with progress.bar(settings.owner, settings.max_iter) as tick:
        for restart in range(1 + settings.restarts):
            try:
                one = search(
                    evaluate,
                    draw(restart == 0),
                    box,
                    scale=n,
                    tol=settings.tol,
                    max_iter=settings.max_iter,
                    curvature=None if restart else settings.curvature,
                    tick=tick,
                )
            except FitError:
                if restart:  # a corner of the box where the model breaks down
                    continue
                raise
            searches.append(one)
            if one.interrupted:
                break
    best, last = min(searches, key=lambda s: s.objective), searches[-1]
    if last.interrupted and best is not last:
        best = replace(best, status=last.status, message=last.message, interrupted=True)
    if len(searches) == 1:
        return best, ()
    values = ", ".join(f"{-n * s.objective:.6g}" for s in searches)
    return best, (f"log marginal likelihood of each start: {values}",)


def _foreign(
    optimizer: Callable[..., Any], evaluate: Evaluate, start: Floats, box: Floats, n: int
) -> Solution:
    """A search of the user's, called as scikit-learn does."""

    def objective(theta: Floats, eval_gradient: bool = True) -> Any:
        at = evaluate(np.asarray(theta, dtype=np.float64), eval_gradient)
        return (-at.value, -at.gradient) if eval_gradient else -at.value

    x, _ = optimizer(objective, start, bounds=box)
    x = np.asarray(x, dtype=np.float64)
    at = evaluate(x, gradient=False)
    name = getattr(optimizer, "__name__", type(optimizer).__name__)
    return Solution(
        x,
        Status.CONVERGED,
        1,
        -at.value / n,
        solver=f"optimizer {name}",
        extras={"error": at.error},
    )
