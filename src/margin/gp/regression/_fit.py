"""Fitting a regression: solver, learning, conditioning."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import FitError, Solution, Status
from margin.gp.grid._choice import on_grid
from margin.gp.grid._conjugate import GridConjugate
from margin.gp.learning._learning import Learned, learn
from margin.gp.regression._choice import choose, share_of
from margin.gp.regression._near_start import near_guess
from margin.gp.regression._settings import RegressionSettings
from margin.gp.regression._start import first_guess, inducing_solver, learn_from_part, solver_of
from margin.gp.solvers._interface import Observations, Posterior, Solver
from margin.gp.solvers._iterative import PROBES


@dataclass(frozen=True, eq=False)
class FittedProcess:
    """A process with its hyper-parameters, given the data.

    Parameters
    ----------
    kernel : Kernel
        With the hyper-parameters found.
    solver : Solver
        At the unknowns found besides.
    posterior : Posterior
    solution : Solution
        The search; its objective is the negative log marginal likelihood per row.
    notes : tuple of str
        What a reader should know.
    """

    kernel: Any
    solver: Any
    posterior: Any
    solution: Solution
    notes: tuple[str, ...]


def fit_process(
    settings: RegressionSettings, kernel: Any, seen: Observations, rng: np.random.Generator
) -> FittedProcess:
    """Choose a solver, learn the hyper-parameters, condition on the data.

    Parameters
    ----------
    settings : RegressionSettings
    kernel : Kernel
        Where the search starts.
    seen : Observations
    rng : numpy.random.Generator
        Draws restarts and the places of inducing points.
    """
    grid = on_grid(settings.owner, settings.method, kernel, seen)
    if grid is not None:
        method, reason = grid.name, grid.reason
    else:
        columns = seen.X.shape[1] if isinstance(seen.X, np.ndarray) else 0
        share = share_of(kernel, seen.X) if settings.method == "auto" else 1.0
        method, reason = choose(settings.owner, settings.method, kernel, seen.n, columns, share)
    guessed = ""
    try:
        learning = settings.learning
        if method == "exact":
            learning, kernel, guessed = near_guess(learning, kernel, seen, rng)
        start, solver, started = _started(settings, method, grid, kernel, seen, rng)
        if settings.method == "auto" and method == "variational":
            learned, part = learn_from_part(settings.learning, start, solver, seen, rng)
            started = (*started, part)
        else:
            learned = learn(learning, start, solver, seen, rng)
        posterior = learned.solver.condition(learned.kernel, seen)
    except FitError as error:
        raise FitError(f"{settings.owner}: {error}") from error
    chosen = f"method {reason}" if reason else ""
    started = (guessed, *started)
    notes = (*filter(None, (chosen, *started)), *learned.notes, *_evidence(learned, posterior))
    solution = _told(learned, posterior, method, seen.n)
    return FittedProcess(learned.kernel, learned.solver, posterior, solution, notes)


def _started(
    settings: RegressionSettings,
    method: str,
    grid: Solver | None,
    kernel: Any,
    seen: Observations,
    rng: np.random.Generator,
) -> tuple[Any, Solver, tuple[str, ...]]:
    """Kernel and solver to start from, and what to say of them."""
    if method in ("exact", "state-space", "compact"):
        return kernel, solver_of(method, kernel, seen), ()
    if grid is not None and not isinstance(grid, GridConjugate):
        return kernel, grid, ()
    kernel, guessed = first_guess(settings.learning, kernel, seen, rng)
    if isinstance(grid, GridConjugate):
        return kernel, grid.at(kernel, seen), (guessed,)
    if method == "cg":
        return kernel, solver_of(method, kernel, seen), (guessed,)
    sparse, placed = inducing_solver(settings, method, kernel, seen, rng)
    return kernel, sparse, (guessed, placed)


def _evidence(learned: Learned, posterior: Posterior) -> tuple[str, ...]:
    """Notes of the posterior, and how well the likelihood is known."""
    if learned.error is None:
        return posterior.notes
    text = f"log marginal likelihood by {PROBES} probes, standard error {learned.error:.2g}"
    return (*posterior.notes, text)


def _told(learned: Learned, posterior: Posterior, method: str, n: int) -> Solution:
    """The search with what solver and posterior have to add: repairs, and whether it is exact."""
    solution = learned.solution
    solution = replace(solution, repairs=posterior.repairs, solver=f"{method}, {solution.solver}")
    if solution.status is Status.STALLED and learned.solver.resolution(n):
        hint = "the error of the random probes hides progress: scale the features, or raise tol"
        solution = replace(solution, message=f"{solution.certificate!r}; {hint}")
    if not posterior.failure:
        return solution
    message = "; ".join(filter(None, (solution.message, posterior.failure)))
    return replace(solution, status=Status.MAX_ITER, message=message)
