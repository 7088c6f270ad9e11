"""Which solver minimises a logistic regression, and the call of it."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from margin import optim, penalties
from margin.core import Solution, Status, check
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.linear.classification._row_sample_model import row_sample_model

AnySolver = optim.Solver | optim.DirectSolver

_SMALL_HESSIAN = 300
_LARGEST = 1e140
_LONG_COLUMNS = 100  # stored entries per column
_LONG_MEMORY = 30
_SEPARABLE = (
    "the classes are separable and there is no penalty, so no minimum exists: the coefficients "
    "would grow without bound; use a finite C"
)
SOLVERS: dict[str, Any] = {
    "newton": optim.Newton,
    "newton-cg": optim.NewtonCG,
    "lbfgs": optim.LBFGS,
    "bfgs": optim.BFGS,
    "nonlinear-cg": optim.NonlinearCG,
    "gradient-descent": optim.GradientDescent,
    "fista": optim.FISTA,
    "irls": optim.IRLS,
    "sag": optim.SAG,
    "saga": optim.SAGA,
    "coordinate-descent": optim.CoordinateDescent,
    "dual-newton": optim.DualNewton,
}
_TWO_CLASSES = ("irls", "sag", "saga", "coordinate-descent", "dual-newton")
KINK_SOLVERS = ("coordinate-descent", "fista", "saga")
# What is left of a problem in units of its columns: a solver that asks for more gets it as it is.
_IN_UNITS = frozenset({"gradient", "hessian", "hessian_product", "prox"})


def check_pairing(
    owner: object, solver: Any, strength: float, l1_ratio: float, n_classes: int = 2
) -> None:
    """Refuse a solver that cannot do this penalty, or that many classes, before any work.

    A solver that is given as a value is held against the problem itself, by the engine.
    """
    able = set(SOLVERS)
    reasons = []
    if n_classes > 2:
        able -= set(_TWO_CLASSES)
        reasons.append("there are more than two classes")
    if np.isinf(strength):
        able.discard("dual-newton")
        reasons.append("there is no penalty")
    elif l1_ratio > 0:
        able &= set(KINK_SOLVERS)
        reasons.append("l1_ratio is above 0")
    if isinstance(solver, str) and solver != "auto" and solver not in able:
        choice = ", ".join(repr(name) for name in ("auto", *SOLVERS) if name in able | {"auto"})
        need = f"one of {choice} where {' and '.join(reasons)}"
        raise check.fail(owner, "solver", need, solver)


@dataclass(frozen=True)
class LogisticFit:
    """Coefficients (one column per output), intercepts, and how they were found."""

    solution: Solution
    coef: Floats
    intercept: Floats
    reason: str


class _Choice(NamedTuple):
    """A solver, where it starts, and why it was chosen."""

    solver: AnySolver
    start: Floats | None
    reason: str


def solve_logistic(
    owner: object,
    problem: optim.LinearProblem,
    solver: str | AnySolver,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
) -> LogisticFit:
    """Minimise by a solver, by one of a name, or by the one that suits the problem."""
    named = _named(problem, solver, tol, max_iter)
    if named is not None and not named.solver.requires <= _IN_UNITS:
        _check_size(owner, problem.X)
        solution = optim.minimise(problem, named.solver, callback=callback)
        x, reason = solution.x, named.reason
        coef, intercept = problem.unpack(x)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            units = optim.standardised(problem)
        if not np.isfinite(units.scale).all():
            _check_size(owner, problem.X)
        method, start, reason = named or _suitable(units, tol, max_iter)
        solution = optim.minimise(units, method, start, callback=callback)
        x, problem = units.raw(solution.x), units.problem
        coef, intercept = units.unpack(solution.x)
    unbounded = isinstance(problem.penalty, penalties.Zero) and solution.status is not Status.FAILED
    if unbounded and _separates(problem, x):
        solution = replace(solution, status=Status.STALLED, message=_SEPARABLE)
    return LogisticFit(solution, coef, intercept, reason)


def _named(
    problem: optim.LinearProblem, solver: str | AnySolver, tol: float, max_iter: int
) -> _Choice | None:
    """The solver asked for; ``None`` where one is to be chosen by a look at the data."""
    if not isinstance(solver, str):
        return _Choice(solver, None, type(solver).__name__)
    kinks = isinstance(problem.penalty, penalties.ElasticNet)
    if solver == "auto" and kinks and problem.n_outputs == 1:
        reason = "coordinate-descent: absolute values in the penalty"
        return _Choice(optim.CoordinateDescent(tol, max_iter), None, reason)
    if solver == "auto":
        return None
    return _Choice(SOLVERS[solver](tol, max_iter), None, solver)


def _suitable(problem: optim.Standardised, tol: float, max_iter: int) -> _Choice:
    """The fastest solver for a problem in units of its columns, as measured."""
    if "gradient" not in problem.provides:
        reason = "fista: absolute values, several classes"
        return _Choice(optim.FISTA(tol, max_iter), None, reason)
    sample = row_sample_model(problem)
    if sample is not None:
        solver = optim.LBFGS(tol, max_iter, precondition=sample.precondition)
        return _Choice(solver, sample.x, f"lbfgs preconditioned by {sample.description}")
    if problem.dimension <= _SMALL_HESSIAN:
        return _Choice(optim.Newton(tol, max_iter), None, "newton: few unknowns")
    X = problem.problem.X
    if issparse(X) and X.nnz > _LONG_COLUMNS * X.shape[1]:
        # A pass over the data outweighs a long memory, which saves about a third of the passes.
        solver = optim.LBFGS(tol, max_iter, memory=_LONG_MEMORY)
        reason = f"lbfgs with {_LONG_MEMORY} pairs: many unknowns, long columns"
        return _Choice(solver, None, reason)
    return _Choice(optim.NewtonCG(tol, max_iter), None, "newton-cg: many unknowns")


def _check_size(owner: object, X: Any) -> None:
    """Refuse features whose squares overflow."""
    stored = X.data if issparse(X) else X
    largest = max(stored.max(initial=0.0), -stored.min(initial=0.0))
    if largest > _LARGEST:
        need = f"at most {_LARGEST:g} in size, for squares must be finite"
        raise check.fail(owner, "X", need, float(largest))


def _separates(problem: optim.LinearProblem, x: Floats) -> bool:
    """Whether every row that counts is on the right side, strictly."""
    scores = problem.predictions(x)
    if problem.n_outputs == 1:
        ahead = (2.0 * problem.y - 1.0) * scores[:, 0]
    else:
        own = np.take_along_axis(scores, problem.y[:, None], axis=1)[:, 0]
        np.put_along_axis(scores, problem.y[:, None], -np.inf, axis=1)
        ahead = own - scores.max(axis=1)
    counts = slice(None) if problem.weight is None else problem.weight > 0
    return bool((ahead[counts] > 0).all())
