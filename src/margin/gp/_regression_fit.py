"""Fitting a regression: choice of the solver, learning, conditioning, report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import FitError, check
from margin.gp._choice import INDUCING, choose
from margin.gp._exact import Exact
from margin.gp._inducing import inducing_points
from margin.gp._learning import learn
from margin.gp._noise import split
from margin.gp._solver import Observations, Solver
from margin.gp._sparse import Sparse
from margin.gp._sparse_summary import NUGGET
from margin.gp._state_space import StateSpace

Floats = NDArray[np.float64]

_START_ROWS = 1000


def fit_process(owner: Any, kernel: Any, seen: Observations, rng: np.random.Generator) -> None:
    """Learn, condition and store in the estimator."""
    columns = seen.X.shape[1] if isinstance(seen.X, np.ndarray) else 0
    method, reason = choose(owner, owner.method, kernel, seen.n, columns)
    notes = [f"method {reason}"] if reason else []
    try:
        if method == "exact":
            solver: Solver = Exact()
        elif method == "state-space":
            solver = StateSpace()
        else:
            kernel = _first_guess(owner, kernel, seen, rng, notes)
            solver = _sparse(owner, kernel, seen, method, rng, notes)
        learned = learn(owner, kernel, solver, seen, rng)
        owner._posterior = learned.solver.condition(learned.kernel, seen)
    except FitError as error:
        raise FitError(f"{type(owner).__name__}: {error}") from error
    solution = replace(learned.solution, repairs=owner._posterior.repairs)
    solution = replace(solution, solver=f"{method}, {solution.solver}")
    owner.kernel_ = learned.kernel
    owner.log_marginal_likelihood_value_ = -seen.n * solution.objective
    owner.inducing_points_ = getattr(learned.solver, "Z", None)
    owner.mean_coef_ = owner._mean.coefficients(owner._posterior.coefficients)
    owner._solver, owner._seen = learned.solver, seen
    owner.fit_report_ = check.report(owner, solution, (*notes, *learned.notes))
    owner.n_iter_ = solution.n_iter


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
