"""Which solver minimises a logistic regression, and the call of it."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from margin import optim, penalties
from margin.core import Solution, Status, check
from margin.linear._coarse import coarse_model

_SMALL_HESSIAN = 300
_SEPARABLE = (
    "the classes are separable and there is no penalty, so no minimum exists: the coefficients "
    "would grow without bound; use a finite C"
)
_STEPPERS = {
    "newton": optim.Newton,
    "newton-cg": optim.NewtonCG,
    "lbfgs": optim.LBFGS,
    "gradient-descent": optim.GradientDescent,
    "fista": optim.FISTA,
}
SOLVERS = (*_STEPPERS, "coordinate-descent")
SPARSE_SOLVERS = ("coordinate-descent", "fista")


@dataclass(frozen=True)
class LogisticFit:
    """Coefficients (one column per output), intercepts, and how they were found."""

    solution: Solution
    coef: NDArray[np.float64]
    intercept: NDArray[np.float64]
    reason: str


def solve_logistic(estimator, problem, callback):
    """Minimise by the estimator's solver, or by the one that suits the problem."""
    asked, binary = estimator.solver, problem.n_outputs == 1
    if asked == "coordinate-descent" and not binary:
        raise check.fail(estimator, "solver", "'fista' for more than two classes", asked)
    kinks = isinstance(problem.penalty, penalties.ElasticNet)
    if binary and (asked == "coordinate-descent" or (kinks and asked == "auto")):
        engine = optim.CoordinateDescent(estimator.tol, estimator.max_iter)
        solution = engine.run(problem, callback=callback)
        x = solution.x
        coef, intercept = problem.unpack(x)
        reason = "coordinate-descent: absolute values in the penalty"
    else:
        units = optim.standardised(problem)
        solver, start, reason = _stepper(estimator, units)
        solution = optim.minimise(units, solver, start, callback=callback)
        x = units.raw(solution.x)
        coef, intercept = units.unpack(solution.x)
        problem = units.problem
    if isinstance(problem.penalty, penalties.Zero) and _separates(problem, x):
        solution = replace(solution, status=Status.STALLED, message=_SEPARABLE)
    return LogisticFit(solution, coef, intercept, reason)


def _stepper(estimator, problem):
    """Solver, starting point and the reason for the choice."""
    tol, max_iter = estimator.tol, estimator.max_iter
    if estimator.solver != "auto":
        return _STEPPERS[estimator.solver](tol, max_iter), None, estimator.solver
    if "gradient" not in problem.provides:
        return optim.FISTA(tol, max_iter), None, "fista: absolute values, several classes"
    coarse = coarse_model(problem)
    if coarse is not None:
        solver = optim.LBFGS(tol, max_iter, precondition=coarse.precondition)
        return solver, coarse.x, f"lbfgs preconditioned by {coarse.description}"
    if problem.dimension <= _SMALL_HESSIAN:
        return optim.Newton(tol, max_iter), None, "newton: few unknowns"
    return optim.NewtonCG(tol, max_iter), None, "newton-cg: many unknowns"


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
