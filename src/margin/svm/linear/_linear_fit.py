"""Training of linear support vector machines."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import Solution, Status, threads
from margin.core.progress import Callback
from margin.core.types import Array, Bools, Floats
from margin.optim import DualDescent, LinearDual, MulticlassDescent, SemismoothNewton
from margin.svm.linear._l1_fit import solve_l1

# Up to so many stored numbers the answer is driven as far as rounding allows, at hardly any cost.
SMALL = 200_000
ALONE = 8_000  # numbers, of which OpenBLAS shares no product with a vector
SHARP = 1e-12
SHARP_L1 = 1e-9
COLUMNS = 1500


@dataclass(frozen=True)
class LinearSettings:
    """What a linear machine minimises, and how.

    Parameters
    ----------
    C : float
        Price of an error.
    squared : bool
        Whether the loss is squared.
    epsilon : float
        Half width of the tube of a regression.
    constant : float
        Value of the constant feature; 0 without an intercept, infinity leaves it unpenalised.
    dual : {"auto", True, False}
        Coordinate descent on the dual, or Newton steps.
    tol : float
        Relative duality gap.
    max_iter : int
    sparse : bool
        Whether the penalty is the L1 norm, for the squared hinge only.
    """

    C: float = 1.0
    squared: bool = False
    epsilon: float = 0.0
    constant: float = 1.0
    dual: bool | str = "auto"
    tol: float = 1e-4
    max_iter: int = 1000
    sparse: bool = False


@dataclass(frozen=True, eq=False)
class LinearFunctions:
    """Trained linear functions.

    Parameters
    ----------
    coef : ndarray of shape (k, p)
    intercept : ndarray of shape (k,)
    beta : ndarray of shape (k, n), multipliers
    solution : Solution
    """

    coef: Floats
    intercept: Floats
    beta: Floats
    solution: Solution


def linear_dual(
    settings: LinearSettings,
    X: Any,
    target: Floats,
    weight: Floats,
    sides: tuple[Bools, Bools] | None,
) -> LinearDual:
    """The problem of a machine.

    Parameters
    ----------
    settings : LinearSettings
    X : ndarray or CSR matrix
    target, weight : ndarray, labels or numbers, and factors of the losses
    sides : pair of bool arrays or None
        Where multipliers may be below and above zero; ``None``: everywhere.
    """
    price = settings.C * weight
    bound = np.where(price > 0, np.inf, 0.0) if settings.squared else price
    below, above = (True, True) if sides is None else sides
    ridge = np.divide(0.5, price, out=np.zeros(len(price)), where=price > 0)
    return LinearDual(
        X,
        target,
        np.where(below, -bound, 0.0),
        np.where(above, bound, 0.0),
        ridge if settings.squared else np.zeros(len(price)),
        settings.epsilon,
        settings.constant,
    )


def solve_linear(
    settings: LinearSettings,
    problem: LinearDual,
    seed: int,
    tick: Callback | None = None,
    n_threads: int = 1,
) -> LinearFunctions:
    """The function of one problem, by the solver that suits it."""
    tol, limit = settings.tol, settings.max_iter
    wide = issparse(problem.X) and problem.X.shape[1] > COLUMNS
    # Coordinate descent has no move that keeps a free intercept balanced.
    if not problem.free and (settings.dual is True or (settings.dual == "auto" and wide)):
        solver = DualDescent(tol=tol, max_iter=limit, random_state=seed, n_threads=n_threads)
        solution = solver.run(problem, callback=tick)
    else:
        sharp = min(tol, SHARP) if _stored(problem.X) <= SMALL else tol
        solution = SemismoothNewton(tol=sharp, max_iter=limit).run(problem, callback=tick)
        solution = _asked(solution, tol)
    w, beta = solution.x, np.asarray(solution.extras["beta"])
    solution = replace(solution, n_iter=max(1, solution.n_iter))
    return LinearFunctions(w[None, :-1], np.array([problem.last * w[-1]]), beta[None], solution)


def solve_sparse(
    settings: LinearSettings, X: Any, sign: Floats, weight: Floats, tick: Callback | None = None
) -> LinearFunctions:
    """The function of one class against the rest with few weights."""
    tol, constant = settings.tol, settings.constant
    sharp = min(tol, SHARP_L1) if _stored(X) <= SMALL else tol
    solution, beta = solve_l1(
        X, sign, settings.C * weight, constant, tol=sharp, max_iter=settings.max_iter, tick=tick
    )
    solution = _asked(replace(solution, n_iter=max(1, solution.n_iter)), tol)
    last = constant if np.isfinite(constant) else 1.0
    w = solution.x
    return LinearFunctions(w[None, :-1], np.array([last * w[-1]]), beta[None], solution)


def solve_against_rest(
    settings: LinearSettings,
    X: Any,
    codes: Array,
    weight: Floats,
    n_classes: int,
    *,
    rng: np.random.Generator,
    tick: Callback | None = None,
    n_threads: int = 1,
) -> LinearFunctions:
    """One function per class against all others; of two classes for the second only."""
    positives: Sequence[int] = [1] if n_classes == 2 else range(n_classes)
    seeds = rng.integers(2**31, size=len(positives))
    # Threads would wait for each other longer than the work takes.
    small = _stored(X) <= SMALL
    n_threads = 1 if small else n_threads
    workers = min(n_threads, len(positives))

    def train(job: tuple[int, int]) -> LinearFunctions:
        positive, seed = job
        sign = np.where(codes == positive, 1.0, -1.0)
        if settings.sparse:
            return solve_sparse(settings, X, sign, weight, tick)
        problem = linear_dual(settings, X, sign, weight, (sign < 0, sign > 0))
        return solve_linear(settings, problem, int(seed), tick, max(1, n_threads // workers))

    jobs = list(zip(positives, seeds, strict=True))
    if workers > 1:
        with ThreadPoolExecutor(workers) as pool:
            machines = list(pool.map(train, jobs))
    else:
        # Products of very few numbers take one thread anyway.
        shared = small and _stored(X) > ALONE
        with threads.single_blas() if shared else nullcontext():
            machines = [train(job) for job in jobs]
    return LinearFunctions(
        np.concatenate([machine.coef for machine in machines]),
        np.concatenate([machine.intercept for machine in machines]),
        np.concatenate([machine.beta for machine in machines]),
        Solution.merge([machine.solution for machine in machines], parts="machines"),
    )


def solve_together(
    settings: LinearSettings,
    X: Any,
    codes: Array,
    weight: Floats,
    n_classes: int,
    *,
    rng: np.random.Generator,
    tick: Callback | None = None,
) -> LinearFunctions:
    """Functions of all classes in one problem, after Crammer and Singer; one for two classes."""
    seed = int(rng.integers(2**31))
    solver = MulticlassDescent(tol=settings.tol, max_iter=settings.max_iter, random_state=seed)
    solution = solver.run(
        X, codes, settings.C * weight, n_classes, settings.constant, callback=tick
    )
    W, beta = solution.x, solution.extras["beta"]
    if n_classes == 2:  # one function is enough: the difference of the two
        W, beta = W[:, 1:] - W[:, :1], beta[:, 1:] - beta[:, :1]
    solution = replace(solution, n_iter=max(1, solution.n_iter))
    return LinearFunctions(W[:-1].T, settings.constant * W[-1], beta.T, solution)


def _stored(X: Any) -> int:
    """Numbers that a table holds."""
    return int(X.nnz if issparse(X) else X.size)


def _asked(solution: Solution, tol: float) -> Solution:
    """The same solution, judged by the tolerance that was asked for."""
    if solution.certificate is None:
        return solution
    certificate = replace(solution.certificate, tolerance=tol)
    if solution.status is not Status.FAILED and certificate.holds:
        return replace(solution, status=Status.CONVERGED, message="", certificate=certificate)
    return replace(solution, certificate=certificate)
