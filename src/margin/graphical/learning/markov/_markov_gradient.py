"""Maximum likelihood of log-linear families by gradient ascent, also with unknown values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from margin.core import Solution
from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.optim import LBFGS, Function, minimise


def maximise_likelihood(
    family: LogLinear,
    codes: Indices,
    row_weight: Floats,
    *,
    alpha: float = 0.0,
    tol: float = 1e-6,
    max_iter: int = 1000,
    n_threads: int | None = None,
) -> Solution:
    r"""Weights that minimise :math:`-\frac1N \log L(w) + \frac\alpha2 \|w\|^2` (graphical.22).

    The gradient is what the model expects of the features less what the data show,
    :math:`\langle f \rangle_p - \frac1N \sum_n f(x^n)`; at the optimum they match (graphical.23).
    Unknown values (-1) are summed out, which replaces the second term by its expectation given
    what is known.

    Examples
    --------
    >>> family = LogLinear((2,), ((0,),), (np.array([[0.0, 1.0]]),))
    >>> rows = np.array([[1], [1], [1], [0]])
    >>> solution = maximise_likelihood(family, rows, np.ones(4))
    >>> round(float(solution.x[0]), 4)
    1.0986
    """
    total = float(row_weight.sum())
    complete = bool((codes >= 0).all())
    shown = family.statistics(family.counts(codes, row_weight)) / total if complete else None

    def objective(weights: Floats) -> tuple[float, Floats]:
        log_z, model = family.expectation(weights, n_threads)
        if shown is not None:
            fit, data = float(weights @ shown), shown
        else:
            log_mass, counts = family.scaled(weights, codes, row_weight, n_threads)
            fit, data = float(row_weight @ log_mass) / total, family.statistics(counts) / total
        value = log_z - fit + 0.5 * alpha * float(weights @ weights)
        return value, model - data + alpha * weights

    start = np.zeros(family.size)
    if not complete:
        # Equal potentials are a saddle point where a variable is never observed.
        start = 0.1 * np.random.default_rng(0).standard_normal(family.size)
    solution = minimise(Function(objective, family.size), LBFGS(tol, max_iter), start)
    return replace(solution, solver=f"gradient of the likelihood, {solution.solver}")
