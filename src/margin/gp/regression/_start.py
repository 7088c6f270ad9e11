"""Where learning starts: hyper-parameters from some rows, inducing points."""

from dataclasses import replace
from typing import Any

import numpy as np

from margin.core import check, objects
from margin.core.types import Floats
from margin.gp._noise import split
from margin.gp.compact._process import Compact
from margin.gp.learning._learning import Learned, learn
from margin.gp.learning._settings import LearningSettings
from margin.gp.regression._settings import INDUCING, RegressionSettings
from margin.gp.solvers._conjugate import ConjugateGradients
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._inducing import inducing_points
from margin.gp.solvers._inducing_rows import NUGGET
from margin.gp.solvers._interface import Observations, Solver
from margin.gp.solvers._sparse import Sparse
from margin.gp.solvers._state_space import StateSpace

_START_ROWS = 1000
LEARNING_ROWS = 4000
_PART_TOL = 1e-4


def solver_of(method: str, kernel: Any, seen: Observations) -> Solver:
    """The solver of a method that needs no settings of its own."""
    if method == "exact":
        return Exact()
    if method == "state-space":
        return StateSpace()
    if method == "compact":
        return Compact().settled(kernel, seen)
    return ConjugateGradients.of(kernel, seen)


def first_guess(
    settings: LearningSettings, kernel: Any, seen: Observations, rng: np.random.Generator
) -> tuple[Any, str]:
    """Hyper-parameters from an exact fit to a part of the rows, and a note of it.

    A cheap start close by; the kernel itself where the rows are few or nothing is learned.
    """
    if not settings.by_gradient or seen.n <= _START_ROWS:
        return kernel, ""
    rough = replace(settings, tol=max(settings.tol, _PART_TOL))
    learned = learn(rough, kernel, Exact(), _part(seen, _START_ROWS, rng), rng)
    return learned.kernel, f"search started from an exact fit to {_START_ROWS} rows"


def learn_from_part(
    settings: LearningSettings, kernel: Any, solver: Solver, seen: Observations, rng: Any
) -> tuple[Learned, str]:
    """Hyper-parameters from a bounded number of rows, their value at all rows, and a note of it.

    A gradient through all rows costs as much as many thousand predictions; what length scales and
    noise are is clear long before. Fewer rows than that are used all.
    """
    if not settings.by_gradient or seen.n <= LEARNING_ROWS:
        return learn(settings, kernel, solver, seen, rng), ""
    # Digits that another draw of the rows would change are not worth a search.
    rough = replace(settings, tol=max(settings.tol, _PART_TOL))
    learned = learn(rough, kernel, solver, _part(seen, LEARNING_ROWS, rng), rng)
    at = learned.solver.evaluate(learned.kernel, seen, gradient=False)
    told = f"hyper-parameters learnt from {LEARNING_ROWS} of {seen.n} rows; name a method for all"
    solution = replace(learned.solution, objective=-at.value / seen.n)
    return replace(learned, solution=solution, error=at.error), told


def _part(seen: Observations, size: int, rng: np.random.Generator) -> Observations:
    """Some rows, drawn by chance, with a basis of their own."""
    rows = np.sort(rng.choice(seen.n, size, replace=False))
    basis = np.linalg.qr(seen.H[rows])[0] if seen.H.shape[1] else seen.H[rows]
    return Observations(objects.take(seen.X, rows), seen.Y[rows], seen.noise[rows], basis)


def inducing_solver(
    settings: RegressionSettings,
    method: str,
    kernel: Any,
    seen: Observations,
    rng: np.random.Generator,
) -> tuple[Sparse, str]:
    """A solver with its inducing points in place, and a note of it."""
    latent = split(kernel).latent
    vectors = isinstance(seen.X, np.ndarray)
    if settings.learn_inducing and not vectors:
        given = settings.learn_inducing
        raise check.fail(settings.owner, "learn_inducing", "False for objects", given)
    scale = units(latent, seen.X) if vectors else np.ones(1)
    m = min(settings.n_inducing or INDUCING, seen.n)
    Z = inducing_points(latent, seen.X, m, scale, rng)
    solver = Sparse(Z, method == "fitc", bool(settings.learn_inducing), scale)
    return solver, f"{len(Z)} inducing points, nugget {NUGGET:g} of their variance"


def units(kernel: Any, X: Floats) -> Floats:
    """Length scales of the kernel where it has one per column, else the spread of the columns.

    Examples
    --------
    >>> from margin.kernels import RBF
    >>> units(2.0 * RBF((1.0, 3.0)), np.array([[0.0, 1.0], [2.0, 5.0]]))
    array([1., 3.])
    """
    spread = X.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    scales = _length_scales(kernel)
    if scales is None or len(scales) != X.shape[1]:
        return spread
    # A column that hardly matters must not blow up, nor one with a tiny scale dominate.
    return np.clip(scales, 1e-3 * spread, 1e3 * spread)


def _length_scales(kernel: Any) -> Floats | None:
    scales = getattr(kernel, "length_scale", None)
    if isinstance(scales, tuple):
        return np.array(scales)
    inner = getattr(kernel, "kernel", None)
    return None if inner is None else _length_scales(inner)
