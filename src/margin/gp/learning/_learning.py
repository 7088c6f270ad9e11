"""Learning the hyper-parameters of a model: one search, restarts, or a search of the user's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.core import Solution, Status, check, progress
from margin.gp.learning._search import search
from margin.gp.solvers._solver import Evaluation

Floats = NDArray[np.float64]

NAMES = ("fmin_l_bfgs_b",)
_SPREAD = float(np.log(100.0))


class Learned(NamedTuple):
    """Kernel and solver at the best unknowns found, the search, and what to tell a reader."""

    kernel: Any
    solver: Any
    solution: Solution
    notes: tuple[str, ...]


def check_search(owner: Any) -> None:
    """Refuse bad parameters of the search."""
    known = owner.optimizer is None or callable(owner.optimizer)
    if not known and not (isinstance(owner.optimizer, str) and owner.optimizer in NAMES):
        need = f"None, {NAMES[0]!r} or a callable"
        raise check.fail(owner, "optimizer", need, owner.optimizer)
    check.params(owner, positive="tol", count="max_iter")
    count = owner.n_restarts_optimizer
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 0:
        need = "an integer of at least 0"
        raise check.fail(owner, "n_restarts_optimizer", need, count)


def learn(owner: Any, kernel: Any, solver: Any, seen: Any, rng: np.random.Generator) -> Learned:
    """Maximise the solver's objective over the hyper-parameters of the kernel.

    Parameters
    ----------
    owner : estimator
        Gives ``optimizer``, ``n_restarts_optimizer``, ``tol`` and ``max_iter``.
    kernel, solver
        Where the search starts.
    seen : object
        Data, as the solver takes them.
    rng : numpy.random.Generator
        Draws the other starts.
    """
    p = len(kernel.theta)
    start = np.concatenate([kernel.theta, solver.extra()])

    def evaluate(theta: Floats, gradient: bool = True) -> Evaluation:
        there = kernel.with_theta(theta[:p])
        found: Evaluation = solver.with_extra(theta[p:]).evaluate(there, seen, gradient=gradient)
        return found

    if owner.optimizer is None or not start.size:
        value = -evaluate(start, gradient=False).value / seen.n
        fixed = Solution(start, Status.CONVERGED, 0, value, solver="no search")
        return Learned(kernel, solver, fixed, ())
    box = _box(kernel, solver, start, p)
    notes: tuple[str, ...] = ()
    if callable(owner.optimizer):
        solution = _foreign(owner, evaluate, start, box, seen.n)
    else:
        tol = max(owner.tol, solver.resolution(seen.n))
        solution, notes = _restarted(owner, evaluate, start, box, p, seen.n, rng, tol)
    return Learned(
        kernel.with_theta(solution.x[:p]), solver.with_extra(solution.x[p:]), solution, notes
    )


def _box(kernel: Any, solver: Any, start: Floats, p: int) -> Floats:
    """Bounds of the unknowns, wide enough for the start; inducing points are free."""
    box = np.tile([-np.inf, np.inf], (len(start), 1))
    box[:p], box[p:] = kernel.bounds, solver.bounds()
    box[:, 0] = np.minimum(box[:, 0], start)
    box[:, 1] = np.maximum(box[:, 1], start)
    return box


def _restarted(
    owner: Any, evaluate: Any, start: Floats, box: Floats, p: int, n: int, rng: Any, tol: float
) -> tuple[Solution, tuple[str, ...]]:
    found: list[Solution] = []
    with progress.bar(type(owner).__name__, owner.max_iter) as tick:
        for restart in range(1 + owner.n_restarts_optimizer):
            first = start.copy()
            if restart:
                low = np.maximum(box[:p, 0], start[:p] - _SPREAD)
                high = np.minimum(box[:p, 1], start[:p] + _SPREAD)
                first[:p] = rng.uniform(low, high)
            found.append(
                search(
                    evaluate,
                    first,
                    box,
                    scale=n,
                    tol=tol,
                    max_iter=owner.max_iter,
                    tick=tick,
                )
            )
    best = min(found, key=lambda s: s.objective)
    if len(found) == 1:
        return best, ()
    values = ", ".join(f"{-n * s.objective:.6g}" for s in found)
    return best, (f"log marginal likelihood of each start: {values}",)


def _foreign(owner: Any, evaluate: Any, start: Floats, box: Floats, n: int) -> Solution:
    """A search of the user's, called as scikit-learn does."""

    def objective(theta: Floats, eval_gradient: bool = True) -> Any:
        found = evaluate(np.asarray(theta, dtype=np.float64), eval_gradient)
        return (-found.value, -found.gradient) if eval_gradient else -found.value

    x, _ = owner.optimizer(objective, start, bounds=box)
    x = np.asarray(x, dtype=np.float64)
    value = -evaluate(x, gradient=False).value / n
    name = getattr(owner.optimizer, "__name__", type(owner.optimizer).__name__)
    return Solution(x, Status.CONVERGED, 1, value, solver=f"optimizer {name}")
