"""What machines with several kernels share in fitting."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from margin import kernels
from margin.core import Solution, check, progress, random, threads
from margin.optim import GramMatrix, Trainer, WeightedMachines, fixed_weights, learn_weights
from margin.svm._gram import warn_if_indefinite
from margin.svm._kernel_data import check_kernel_params, fit_data
from margin.svm.multiple_kernel._stack import KernelStack, candidates, given_stack, kernel_stack

SHOWN = 20


def reading_kernel(estimator):
    """The candidate that says what ``X`` is: a table, a list of objects, or matrices."""
    listed = candidates(estimator)
    if listed is None:
        return "precomputed"
    special = (k for k in listed if getattr(k, "input", "any") not in ("any", "vectors"))
    return next(special, listed[0])


def check_weight_params(estimator):
    """Refuse bad parameters that machines with several kernels share."""
    candidates(estimator)
    check.params(
        estimator,
        positive="C tol",
        count="max_iter",
        flag="normalize",
        one_of={"strategy": ("joint", "alignment", "mean")},
    )
    norm = estimator.norm
    if isinstance(norm, bool) or not isinstance(norm, Real) or not float(norm) >= 1:
        raise check.fail(estimator, "norm", "a number of at least 1", norm)
    check_kernel_params(estimator)


def stacked_data(estimator, X, y, sample_weight, target):
    """Checked data and the kernel matrices of all candidates."""
    given = given_stack(estimator, X) if estimator.kernel == "precomputed" else None
    X, y, weight = fit_data(estimator, X if given is None else given[0], y, sample_weight, target)
    n_threads = threads.count(estimator.n_jobs)
    stack = kernel_stack(estimator, X if given is None else given, weight, n_threads)
    return X, y, weight, stack


@dataclass(frozen=True, eq=False)
class Learnt:
    """Weights, the machines that go with them, and the kernel they make.

    Parameters
    ----------
    point : WeightedMachines
    kernel : Kernel or None
    gram : GramMatrix
    X : table or list; the combined matrix where matrices were given.
    """

    point: WeightedMachines
    kernel: Any
    gram: GramMatrix
    X: Any


def learn(estimator, X, target, weight, stack, tasks):
    """Learn the weights and store them with the report; ``target`` is what alignment looks at."""
    trainer = Trainer(stack, tasks, float(estimator.tol), threads.count(estimator.n_jobs))
    solution = _solve(estimator, trainer, stack, target, weight)
    point = solution.extras["machines"]
    gram, kernel = GramMatrix(stack.combined(point.weights)), stack.kernel(point.weights)
    notes = warn_if_indefinite(estimator, kernel, gram)
    estimator.weights_, estimator.kernel_ = point.weights, kernel
    estimator._stack_weights = point.weights * stack.factors
    estimator.n_iter_ = solution.n_iter
    estimator.fit_report_ = check.report(estimator, solution, (*_listed(stack, point), *notes))
    return Learnt(point, kernel, gram, gram.matrix if stack.parts is None else X)


def _solve(estimator, trainer: Trainer, stack: KernelStack, target, weight) -> Solution:
    m, tol = len(stack.names), float(estimator.tol)
    if estimator.strategy == "alignment" and m > 1:
        scaled = [a * K for a, K in zip(stack.factors, stack.matrices, strict=True)]
        aligned = kernels.alignment_weights(scaled, target, weight)
        return fixed_weights(trainer, aligned, tol, "alignment")
    if estimator.strategy == "mean" or m == 1 or np.isinf(estimator.norm):
        return fixed_weights(trainer, np.full(m, 1.0 / m), tol, "equal shares")
    rng = random.generator(estimator.random_state)
    with progress.bar(type(estimator).__name__, estimator.max_iter) as tick:
        return learn_weights(
            trainer,
            float(estimator.norm),
            tol=tol,
            max_iter=int(estimator.max_iter),
            rng=rng,
            callback=tick,
        )


def _listed(stack, point):
    """Weights in words, the largest first."""
    order = [m for m in np.argsort(-point.weights, kind="stable") if point.weights[m] > 0]
    words = [f"weight {point.weights[m]:.4g} of {stack.names[m]}" for m in order[:SHOWN]]
    left = len(stack.names) - len(order)
    return (*words, *([f"weight 0 of {left} other kernels"] if left else []))
