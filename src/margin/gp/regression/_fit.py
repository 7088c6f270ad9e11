"""Fitting a regression: choice of the solver, learning, conditioning, report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import FitError, Solution, Status, check
from margin.gp._noise import split
from margin.gp.compact._pairs import density
from margin.gp.compact._process import Compact
from margin.gp.grid._choice import on_grid
from margin.gp.grid._conjugate import GridConjugate
from margin.gp.learning._learning import Learned, learn
from margin.gp.regression._choice import EXACT_ROWS, INDUCING, choose, compact_latent
from margin.gp.solvers._conjugate import ConjugateGradients
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._inducing import inducing_points
from margin.gp.solvers._solver import Observations, Posterior, Solver
from margin.gp.solvers._sparse import Sparse
from margin.gp.solvers._sparse_summary import NUGGET
from margin.gp.solvers._state_space import StateSpace

Floats = NDArray[np.float64]

_START_ROWS = 1000


def fit_process(owner: Any, kernel: Any, seen: Observations, rng: np.random.Generator) -> None:
    """Learn, condition and store in the estimator."""
    columns = seen.X.shape[1] if isinstance(seen.X, np.ndarray) else 0
    grid = on_grid(owner, kernel, seen)
    if grid is not None:
        method, reason = grid.name, grid.reason
    else:
        share = _share(kernel, seen.X) if owner.method == "auto" else 1.0
        method, reason = choose(owner, owner.method, kernel, seen.n, columns, share)
    notes = [f"method {reason}"] if reason else []
    try:
        if isinstance(grid, GridConjugate):
            kernel = _first_guess(owner, kernel, seen, rng, notes)
            solver: Solver = grid.at(kernel, seen)
        elif grid is not None:
            solver = grid
        elif method == "exact":
            solver = Exact()
        elif method == "state-space":
            solver = StateSpace()
        elif method == "compact":
            solver = Compact().settled(kernel, seen)
        elif method == "cg":
            kernel = _first_guess(owner, kernel, seen, rng, notes)
            solver = ConjugateGradients.of(kernel, seen)
        else:
            kernel = _first_guess(owner, kernel, seen, rng, notes)
            solver = _sparse(owner, kernel, seen, method, rng, notes)
        learned = learn(owner, kernel, solver, seen, rng)
        owner._posterior = learned.solver.condition(learned.kernel, seen)
    except FitError as error:
        raise FitError(f"{type(owner).__name__}: {error}") from error
    solution = _told(learned, owner._posterior, method, seen.n)
    owner.kernel_ = learned.kernel
    owner.log_marginal_likelihood_value_ = -seen.n * solution.objective
    owner.inducing_points_ = getattr(learned.solver, "Z", None)
    owner.mean_coef_ = owner._mean.coefficients(owner._posterior.coefficients)
    owner._solver, owner._seen = learned.solver, seen
    owner.fit_report_ = check.report(
        owner, solution, (*notes, *learned.notes, *owner._posterior.notes)
    )
    owner.n_iter_ = solution.n_iter


def _share(kernel: Any, X: Any) -> float:
    """Share of the kernel matrix that is not zero, looked at only where it may matter."""
    if not isinstance(X, np.ndarray) or len(X) <= EXACT_ROWS:
        return 1.0
    latent = compact_latent(kernel)
    return 1.0 if latent is None else density(latent, X)


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


def _first_guess(
    owner: Any, kernel: Any, seen: Observations, rng: np.random.Generator, notes: list[str]
) -> Any:
    """Hyper-parameters from an exact fit to a part of the rows: a cheap start close by."""
    if owner.optimizer is None or callable(owner.optimizer) or seen.n <= _START_ROWS:
        return kernel
    rows = np.sort(rng.choice(seen.n, _START_ROWS, replace=False))
    X = seen.X[rows] if isinstance(seen.X, np.ndarray) else [seen.X[i] for i in rows]
    basis = np.linalg.qr(seen.H[rows])[0] if seen.H.shape[1] else seen.H[rows]
    part = Observations(X, seen.Y[rows], seen.noise[rows], basis)
    found = learn(owner, kernel, Exact(), part, rng)
    notes.append(f"search started from an exact fit to {_START_ROWS} rows")
    return found.kernel


def _sparse(
    owner: Any, kernel: Any, seen: Observations, method: str, rng: np.random.Generator, notes: Any
) -> Sparse:
    latent = split(kernel).latent
    vectors = isinstance(seen.X, np.ndarray)
    if owner.learn_inducing and not vectors:
        raise check.fail(owner, "learn_inducing", "False for objects", owner.learn_inducing)
    scale = _units(latent, seen.X) if vectors else np.ones(1)
    m = min(owner.n_inducing or INDUCING, seen.n)
    Z = inducing_points(latent, seen.X, m, scale, rng)
    notes.append(f"{len(Z)} inducing points, nugget {NUGGET:g} of their variance")
    return Sparse(Z, method == "fitc", bool(owner.learn_inducing), scale)


def _units(kernel: Any, X: Floats) -> Floats:
    """Length scales of the kernel where it has one per column, else the spread of the columns."""
    spread = X.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    scales = _length_scales(kernel)
    if scales is None or len(scales) != X.shape[1]:
        return spread
    # A column that hardly matters must not blow up, nor one with a tiny scale dominate.
    return np.clip(scales, 1e-3 * spread, 1e3 * spread)


def _length_scales(kernel: Any) -> Floats | None:
    found = getattr(kernel, "length_scale", None)
    if isinstance(found, tuple):
        return np.array(found)
    inner = getattr(kernel, "kernel", None)
    return None if inner is None else _length_scales(inner)
