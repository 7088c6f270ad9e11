"""Which solver minimises a logistic regression, and the call of it."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from margin import optim, penalties
from margin.core import Solution, Status, check
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.linear.classification._logistic_names import BY_ROWS, LIBLINEAR, SOLVERS
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
# Words by which scikit-learn's users filter the warnings of a search that was cut short.
_CUT_SHORT = {
    "lbfgs": "lbfgs failed to converge. Increase the number of iterations.",
    "newton-cg": "newton-cg failed to converge. Increase the number of iterations.",
    "newton-cholesky": "Newton solver did not converge after {} iterations",
    "sag": "The max_iter was reached which means the coef_ did not converge",
    "saga": "The max_iter was reached which means the coef_ did not converge",
    LIBLINEAR: "Liblinear failed to converge, increase the number of iterations.",
}
# What is left of a problem in units of its columns: a solver that asks for more gets it as it is.
_IN_UNITS = frozenset({"gradient", "hessian", "hessian_product", "prox"})


@dataclass(frozen=True)
class LogisticFit:
    """Coefficients (one column per output), intercepts, and how they were found."""

    solution: Solution
    coef: Floats
    intercept: Floats
    reason: str


@dataclass(frozen=True)
class Search:
    """How a logistic regression is minimised.

    Parameters
    ----------
    solver : str or solver of margin.optim
    tol : float
    max_iter : int
    dual : bool
        Whether ``"auto"`` and ``"liblinear"`` solve the dual.
    seed : int
        Of the order of the rows.
    start : tuple of ndarray, optional
        Coefficients (one column per output) and intercepts to start from.
    """

    solver: str | AnySolver
    tol: float
    max_iter: int
    dual: bool = False
    seed: int = 0
    start: tuple[Floats, Floats] | None = None


class _Choice(NamedTuple):
    """A solver, where it starts, and why it was chosen."""

    solver: AnySolver
    start: Floats | None
    reason: str


def solve_logistic(
    owner: object,
    problem: optim.LinearProblem,
    search: Search,
    callback: Callback | None = None,
) -> LogisticFit:
    """Minimise by a solver, by one of a name, or by the one that suits the problem."""
    if search.max_iter == 0 and isinstance(search.solver, str):
        return _untouched(problem, search)
    named = _named(problem, search)
    if named is not None and not named.solver.requires <= _IN_UNITS:
        _check_size(owner, problem.X)
        x0 = None if search.start is None else problem.pack(*search.start)
        solution = optim.minimise(problem, named.solver, x0, callback=callback)
        x, reason = solution.x, named.reason
        coef, intercept = problem.unpack(x)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            units = optim.standardised(problem)
        if not np.isfinite(units.scale).all():
            _check_size(owner, problem.X)
        method, start, reason = named or _suitable(units, search.tol, search.max_iter)
        if search.start is not None:
            start = units.pack(*search.start)
        solution = optim.minimise(units, method, start, callback=callback)
        x, problem = None, units.problem
        coef, intercept = units.unpack(solution.x)
    unbounded = isinstance(problem.penalty, penalties.Zero) and solution.status is not Status.FAILED
    if unbounded and _separates(problem, units.raw(solution.x) if x is None else x):
        solution = replace(solution, status=Status.STALLED, message=_SEPARABLE)
    return LogisticFit(_in_known_words(solution, search.solver), coef, intercept, reason)


def _untouched(problem: optim.LinearProblem, search: Search) -> LogisticFit:
    """The start itself, of a search that may make no step."""
    x = np.zeros(problem.dimension) if search.start is None else problem.pack(*search.start)
    value = problem.expand(x).value
    message = "no step was made, for max_iter is 0"
    trace = {"objective": np.array([value])}
    solution = Solution(x, Status.MAX_ITER, 0, value, trace, message=message)
    return LogisticFit(solution, *problem.unpack(x), "none: max_iter is 0")


def _in_known_words(solution: Solution, solver: Any) -> Solution:
    if solution.status is not Status.MAX_ITER or solution.interrupted:
        return solution
    words = _CUT_SHORT.get(solver) if isinstance(solver, str) else None
    if words is None:
        return solution
    return replace(solution, message=f"{solution.message} ({words.format(solution.n_iter)})")


def _named(problem: optim.LinearProblem, search: Search) -> _Choice | None:
    """The solver asked for; ``None`` where one is to be chosen by a look at the data."""
    solver, tol, max_iter = search.solver, search.tol, search.max_iter
    if not isinstance(solver, str):
        return _Choice(solver, None, type(solver).__name__)
    kinks = isinstance(problem.penalty, penalties.ElasticNet)
    if search.dual:
        return _Choice(optim.DualNewton(tol, max_iter), None, "dual-newton: dual=True")
    if solver in ("auto", LIBLINEAR) and kinks and problem.n_outputs == 1:
        reason = "coordinate-descent: absolute values in the penalty"
        return _Choice(optim.CoordinateDescent(tol, max_iter), None, reason)
    if solver == LIBLINEAR:
        return _Choice(optim.NewtonCG(tol, max_iter), None, "newton-cg")
    if solver == "auto":
        return None
    if solver in BY_ROWS and problem.n_outputs > 1:
        several = optim.FISTA if kinks else optim.LBFGS
        return _Choice(several(tol, max_iter), None, f"{several.__name__}: several classes")
    if solver in BY_ROWS:
        return _Choice(SOLVERS[solver](tol, max_iter, seed=search.seed), None, solver)
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
