"""Training of linear support vector machines."""

from dataclasses import replace

import numpy as np
from scipy.sparse import issparse

from margin.core import Status, check, random
from margin.optim import DualDescent, LinearDual, MulticlassDescent, SemismoothNewton

# Up to so many stored numbers the answer is driven as far as rounding allows, at hardly any cost.
SMALL = 200_000
SHARP = 1e-12
COLUMNS = 1500


def check_linear_params(estimator, losses):
    """Refuse bad parameters that the linear machines share."""
    check.params(
        estimator,
        positive="C tol",
        count="max_iter",
        flag="fit_intercept",
        one_of={"loss": losses, "dual": ("auto", True, False)},
    )
    scaling = estimator.intercept_scaling
    if not (isinstance(scaling, float) and scaling == np.inf):
        check.params(estimator, positive="intercept_scaling")
    if scaling == np.inf and estimator.fit_intercept and estimator.dual is True:
        need = "finite with dual=True, whose intercept is penalised"
        raise check.fail(estimator, "intercept_scaling", need, scaling)


def linear_dual(estimator, X, target, weight, sides, squared, epsilon=0.0):
    """The problem of a machine.

    Parameters
    ----------
    sides : pair of bool arrays or None
        Where multipliers may be below and above zero; ``None``: everywhere.
    squared : bool
        Whether the loss is squared.
    """
    price = float(estimator.C) * weight
    bound = np.where(price > 0, np.inf, 0.0) if squared else price
    below, above = (True, True) if sides is None else sides
    ridge = np.divide(0.5, price, out=np.zeros(len(price)), where=price > 0)
    return LinearDual(
        X,
        target,
        np.where(below, -bound, 0.0),
        np.where(above, bound, 0.0),
        ridge if squared else np.zeros(len(price)),
        float(epsilon),
        float(estimator.intercept_scaling) if estimator.fit_intercept else 0.0,
    )


def solve_linear(estimator, problem, seed, tick=None, n_threads=1):
    """Coefficients, intercept and solution of a problem, by the solver of the estimator."""
    tol, limit = float(estimator.tol), int(estimator.max_iter)
    wide = issparse(problem.X) and problem.X.shape[1] > COLUMNS
    if estimator.dual is True or (estimator.dual == "auto" and wide and not problem.free):
        solver = DualDescent(tol=tol, max_iter=limit, random_state=seed, n_threads=n_threads)
        solution = solver.run(problem, callback=tick)
    else:
        size = problem.X.nnz if issparse(problem.X) else problem.X.size
        sharp = min(tol, SHARP) if size <= SMALL else tol
        solution = SemismoothNewton(tol=sharp, max_iter=limit).run(problem, callback=tick)
        solution = _asked(solution, tol)
    w = solution.x
    return w[:-1], problem.last * w[-1], replace(solution, n_iter=max(1, solution.n_iter))


def solve_together(estimator, X, codes, weight, n_classes, tick=None):
    """Coefficients, intercepts and solution of the functions of all classes in one problem."""
    if estimator.fit_intercept and estimator.intercept_scaling == np.inf:
        need = 'finite with multi_class="crammer_singer", whose intercepts are penalised'
        raise check.fail(estimator, "intercept_scaling", need, estimator.intercept_scaling)
    constant = float(estimator.intercept_scaling) if estimator.fit_intercept else 0.0
    seed = int(random.generator(estimator.random_state).integers(2**31))
    solver = MulticlassDescent(
        tol=float(estimator.tol), max_iter=int(estimator.max_iter), random_state=seed
    )
    cap = float(estimator.C) * weight
    solution = solver.run(X, codes, cap, n_classes, constant, callback=tick)
    W, beta = solution.x, solution.extras["beta"]
    if n_classes == 2:  # one function is enough: the difference of the two
        W, beta = W[:, 1:] - W[:, :1], beta[:, 1:] - beta[:, :1]
    return W[:-1].T, constant * W[-1], beta.T, replace(solution, n_iter=max(1, solution.n_iter))


def _asked(solution, tol):
    """The same solution, judged by the tolerance that was asked for."""
    certificate = replace(solution.certificate, tolerance=tol)
    if solution.status is not Status.FAILED and certificate.holds:
        return replace(solution, status=Status.CONVERGED, message="", certificate=certificate)
    return replace(solution, certificate=certificate)
