"""Stochastic fits of one or several outputs."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from margin import optim
from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.linear.online._exact_zeros import exact_zeros
from margin.linear.online._sgd_settings import Settings


@dataclass(frozen=True)
class Task:
    """One output to be fitted.

    Parameters
    ----------
    rows : RowSum
        The objective.
    start : ndarray
        Unknowns to start from.
    progress : Progress, optional
        Where an earlier search ended, to be continued.
    monitor : callable, optional
        Watched in place of the objective.
    """

    rows: optim.RowSum
    start: Floats
    progress: optim.Progress | None = None
    monitor: Callable[[Floats], float] | None = None


def solve_tasks(
    tasks: Sequence[Task],
    settings: Settings,
    *,
    seed: int,
    max_iter: int,
    tol: float | None,
    callback: Callback | None = None,
) -> list[Solution]:
    """Solve one task per output, by threads where there are several.

    Without ``tol`` a search ends where as many calls of ``partial_fit`` as epochs would.
    """

    def solve(task: Task) -> Solution:
        smoothness = 1.0
        if settings.learning_rate == "optimal":
            smoothness = task.rows.usual_smoothness
        solution = optim.run_epochs(
            task.rows,
            settings.solver(smoothness, seed=seed, max_iter=max_iter),
            task.start,
            tol=tol,
            patience=settings.n_iter_no_change,
            progress=task.progress,
            monitor=task.monitor,
            end="last" if tol is None else "lowest",
            callback=callback,
        )
        # The mean of points that have zeros at different places has none of its own.
        if task.rows.l1 and settings.average and task.progress is None:
            return replace(solution, x=exact_zeros(task.rows, solution.x))
        return solution

    n_threads = min(len(tasks), settings.n_threads)
    if n_threads == 1:
        return [solve(task) for task in tasks]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(solve, tasks))


def gradient_note(solutions: Sequence[Solution]) -> tuple[str, ...]:
    """The gradient norm at the answer, as a note for the report."""
    norms = [s.extras.get("gradient_norm") for s in solutions]
    known = [norm for norm in norms if norm is not None]
    return (f"gradient norm {max(known):.3g} at the coefficients",) if known else ()
