"""The quadratic programs of the support vector machines, stated and solved."""

from dataclasses import replace

import numpy as np

from margin.core import Certificate, FitError, Status
from margin.optim import SMO, BoxDual, Machine, soft_margin, solve_qp, tube
from margin.optim import optimality as optimality_of


def solve_dual(estimator, problem, n_threads, tick=None):
    """Solution of a dual by the solver of the estimator."""
    if estimator.solver == "qp":
        solution = _by_program(estimator, problem)
    else:
        solution = SMO(
            tol=float(estimator.tol),
            max_iter=None if estimator.max_iter == -1 else int(estimator.max_iter),
            cache_size=float(estimator.cache_size),
            shrinking=bool(estimator.shrinking),
            n_threads=n_threads,
        ).run(problem, callback=tick)
    if solution.status is Status.FAILED:
        raise FitError(f"{type(estimator).__name__}: {_explained(problem, solution.message)}")
    return solution


def _explained(problem, message):
    if np.isfinite(problem.upper).all():
        return message
    return (
        "C=inf asks for data that can be fitted without any error, and these cannot be with this "
        f"kernel ({message}); use a finite C"
    )


def _by_program(estimator, problem):
    found = solve_qp(problem.program(), tol=min(1e-9, float(estimator.tol)))
    if found.status is Status.FAILED:
        return found
    beta = np.clip(found.x, problem.lower, problem.upper)
    largest = float(np.abs(beta).max(initial=0.0))
    for wall in (problem.lower, problem.upper):
        near = np.abs(beta - wall) <= 1e-5 * max(1e-300, largest)
        beta[near] = wall[near]
    scores = np.asarray(problem.gram.matrix, dtype=np.float64) @ problem.by_row(beta)
    at = optimality_of(problem, beta, scores)
    trace = {"objective": np.array([-at.dual]), "violation": np.array([at.violation])}
    certificate = Certificate("KKT violation", at.violation, float(estimator.tol))
    extras = {"optimality": at, "scores": scores}
    return replace(
        found, x=beta, objective=-at.dual, trace=trace, certificate=certificate, extras=extras
    )


def classification(gram, sign, bound, estimator, n_threads, tick=None, start=None):
    """The machine with a soft margin."""
    problem = soft_margin(gram, sign, bound, start)
    solution = solve_dual(estimator, problem, n_threads, tick)
    at = solution.extras["optimality"]
    return Machine(solution.x, float(at.bias[0]), solution.extras["scores"], bound, solution)


def nu_classification(gram, sign, weight, nu, estimator, n_threads, tick=None):
    r"""Soft margin with a share :math:`\nu` of margin errors and support vectors."""
    group = (sign < 0).astype(np.int64)
    total = weight.sum()
    most = 2.0 * min(weight[sign > 0].sum(), weight[sign < 0].sum()) / total
    repairs: tuple[str, ...] = ()
    if nu > most:
        repairs = (f"lowered nu from {nu:.3g} to {most:.3g}, twice the share of a class",)
        nu = most
    half = 0.5 * nu * total
    start = np.where(sign > 0, fill(weight * (sign > 0), half), -fill(weight * (sign < 0), half))
    lower, upper = np.where(sign > 0, 0.0, -weight), np.where(sign > 0, weight, 0.0)
    problem = BoxDual(gram, np.zeros(len(sign)), lower, upper, start, group=group)
    solution = solve_dual(estimator, problem, n_threads, tick)
    solution = replace(solution, repairs=(*solution.repairs, *repairs))
    positive, negative = solution.extras["optimality"].bias
    width = 0.5 * (negative - positive)
    if not width > 1e-12 * max(1.0, abs(negative)):
        width = 1.0
        text = f"left the machine unscaled: with nu={nu:.3g} the margin has no width"
        solution = replace(solution, repairs=(*solution.repairs, text))
    return Machine(
        solution.x / width,
        0.5 * float(positive + negative) / width,
        solution.extras["scores"] / width,
        weight / width,
        solution,
    )


def regression(gram, y, bound, epsilon, estimator, n_threads, tick=None):
    """The machine with a tube of given width."""
    problem = tube(gram, y, bound, epsilon)
    solution = solve_dual(estimator, problem, n_threads, tick)
    bias = float(solution.extras["optimality"].bias[0])
    return Machine(problem.by_row(solution.x), bias, solution.extras["scores"], bound, solution)


def nu_regression(gram, y, bound, nu, estimator, n_threads, tick=None):
    r"""Regression with a share :math:`\nu` of rows outside a tube whose width is found."""
    n = len(y)
    start = fill(bound, 0.5 * nu * bound.sum())
    problem = BoxDual(
        gram,
        np.tile(y, 2),
        np.concatenate([np.zeros(n), -bound]),
        np.concatenate([bound, np.zeros(n)]),
        np.concatenate([start, -start]),
        rows=np.tile(np.arange(n), 2),
        group=np.repeat([0, 1], n),
    )
    solution = solve_dual(estimator, problem, n_threads, tick)
    above, below = solution.extras["optimality"].bias
    coef = problem.by_row(solution.x)
    made = Machine(coef, 0.5 * float(above + below), solution.extras["scores"], bound, solution)
    return made, 0.5 * float(above - below)


def one_class(gram, weight, nu, estimator, n_threads, tick=None):
    r"""Half space that leaves a share :math:`\nu` of the rows on the side of the origin."""
    start = fill(weight, nu * weight.sum())
    problem = BoxDual(gram, np.zeros(len(weight)), np.zeros(len(weight)), weight, start)
    solution = solve_dual(estimator, problem, n_threads, tick)
    bias = float(solution.extras["optimality"].bias[0])
    return Machine(solution.x, bias, solution.extras["scores"], weight, solution)


def fill(room, total):
    """Amounts up to ``room`` each, the first rows first, that sum to ``total``.

    Examples
    --------
    >>> fill(np.array([1.0, 2.0, 2.0]), 2.5)
    array([1. , 1.5, 0. ])
    """
    before = np.cumsum(room) - room
    return np.clip(total - before, 0.0, room)
