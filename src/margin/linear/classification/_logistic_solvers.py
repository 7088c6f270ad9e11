"""Which solver minimises a logistic regression, and the call of it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin import optim, penalties
from margin.core import Solution, Status, check
from margin.linear.classification._row_sample_model import coarse_model

_SMALL_HESSIAN = 300
_LARGEST = 1e140
_LONG_COLUMNS = 100  # stored entries per column
_LONG_MEMORY = 30
_SEPARABLE = (
    "the classes are separable and there is no penalty, so no minimum exists: the coefficients "
    "would grow without bound; use a finite C"
)
# Steppers of the problem in units of its columns, of the problem as it is (they read its rows),
# and engines that own their whole loop.
_SCALED = {
    "newton": optim.Newton,
    "newton-cg": optim.NewtonCG,
    "lbfgs": optim.LBFGS,
    "bfgs": optim.BFGS,
    "nonlinear-cg": optim.NonlinearCG,
    "gradient-descent": optim.GradientDescent,
    "fista": optim.FISTA,
}
_RAW = {"irls": optim.IRLS, "sag": optim.SAG, "saga": optim.SAGA}
_ENGINES = {"coordinate-descent": optim.CoordinateDescent, "dual-newton": optim.DualNewton}
_TWO_CLASSES = (*_RAW, *_ENGINES)
SOLVERS = (*_SCALED, *_RAW, *_ENGINES)
KINK_SOLVERS = ("coordinate-descent", "fista", "saga")


def check_pairing(estimator, n_classes=2):
    """Refuse a solver that cannot do this penalty, or that many classes, before any work."""
    asked = estimator.solver
    able = set(SOLVERS)
    reasons = []
    if n_classes > 2:
        able -= set(_TWO_CLASSES)
        reasons.append("there are more than two classes")
    if np.isinf(estimator.C):
        able.discard("dual-newton")
        reasons.append("there is no penalty")
    elif estimator.l1_ratio > 0:
        able &= set(KINK_SOLVERS)
        reasons.append("l1_ratio is above 0")
    if asked != "auto" and asked not in able:
        choice = ", ".join(repr(name) for name in ("auto", *SOLVERS) if name in able | {"auto"})
        raise check.fail(
            estimator, "solver", f"one of {choice} where {' and '.join(reasons)}", asked
        )


@dataclass(frozen=True)
class LogisticFit:
    """Coefficients (one column per output), intercepts, and how they were found."""

    solution: Solution
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    reason: str


def solve_logistic(estimator, problem, callback):
    """Minimise by the estimator's solver, or by the one that suits the problem."""
    name, limits = estimator.solver, (estimator.tol, estimator.max_iter)
    reason = name
    kinks = isinstance(problem.penalty, penalties.ElasticNet)
    if name == "auto" and kinks and problem.n_outputs == 1:
        name, reason = "coordinate-descent", "coordinate-descent: absolute values in the penalty"
    if name in _ENGINES or name in _RAW:
        _check_size(estimator, problem.X)
        if name in _ENGINES:
            solution = _ENGINES[name](*limits).run(problem, callback=callback)
        else:
            solution = optim.minimise(problem, _RAW[name](*limits), callback=callback)
        x = solution.x
        coef, intercept = problem.unpack(x)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            units = optim.standardised(problem)
        if not np.isfinite(units.scale).all():
            _check_size(estimator, problem.X)
        solver, start, reason = _stepper(estimator, units)
        solution = optim.minimise(units, solver, start, callback=callback)
        x = units.raw(solution.x)
        coef, intercept = units.unpack(solution.x)
        problem = units.problem
    unbounded = isinstance(problem.penalty, penalties.Zero) and solution.status is not Status.FAILED
    if unbounded and _separates(problem, x):
        solution = replace(solution, status=Status.STALLED, message=_SEPARABLE)
    return LogisticFit(solution, coef, intercept, reason)


def _stepper(estimator, problem):
    """Solver, starting point and the reason for the choice."""
    tol, max_iter = estimator.tol, estimator.max_iter
    if estimator.solver != "auto":
        return _SCALED[estimator.solver](tol, max_iter), None, estimator.solver
    if "gradient" not in problem.provides:
        return optim.FISTA(tol, max_iter), None, "fista: absolute values, several classes"
    coarse = coarse_model(problem)
    if coarse is not None:
        solver = optim.LBFGS(tol, max_iter, precondition=coarse.precondition)
        return solver, coarse.x, f"lbfgs preconditioned by {coarse.description}"
    if problem.dimension <= _SMALL_HESSIAN:
        return optim.Newton(tol, max_iter), None, "newton: few unknowns"
    X = problem.problem.X
    if issparse(X) and X.nnz > _LONG_COLUMNS * X.shape[1]:
        # A pass over the data outweighs a long memory, which saves about a third of the passes.
        solver = optim.LBFGS(tol, max_iter, memory=_LONG_MEMORY)
        return solver, None, f"lbfgs with {_LONG_MEMORY} pairs: many unknowns, long columns"
    return optim.NewtonCG(tol, max_iter), None, "newton-cg: many unknowns"


def _check_size(estimator, X):
    """Refuse features whose squares overflow."""
    stored = X.data if issparse(X) else X
    largest = max(stored.max(initial=0.0), -stored.min(initial=0.0))
    if largest > _LARGEST:
        need = f"at most {_LARGEST:g} in size, for squares must be finite"
        raise check.fail(estimator, "X", need, float(largest))


def _separates(problem, x):
    """Whether every row that counts is on the right side, strictly."""
    scores = problem.predictions(x)
    if problem.n_outputs == 1:
        ahead = (2.0 * problem.y - 1.0) * scores[:, 0]
    else:
        own = np.take_along_axis(scores, problem.y[:, None], axis=1)[:, 0]
        np.put_along_axis(scores, problem.y[:, None], -np.inf, axis=1)
        ahead = own - scores.max(axis=1)
    return bool((ahead[problem.weight > 0] > 0).all())
