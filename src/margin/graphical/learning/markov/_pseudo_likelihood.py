"""Pseudo-likelihood: no partition function."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import logsumexp

from margin.core import Solution
from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.optim import LBFGS, Function, minimise


def maximise_pseudo_likelihood(
    family: LogLinear,
    codes: Indices,
    row_weight: Floats,
    *,
    alpha: float = 0.0,
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> Solution:
    r"""Weights of largest pseudo-likelihood.

    Minimises :math:`-\frac1N \sum_n \sum_i \log p(x_i^n \mid x_{-i}^n) + \frac\alpha2 \|w\|^2`.

    Every conditional needs only the cliques of its variable, so the cost is linear in the rows
    whatever the graph; consistent, and equal to the likelihood where variables are independent
    (graphical.26).

    Examples
    --------
    >>> family = LogLinear((2,), ((0,),), (np.array([[0.0, 1.0]]),))
    >>> solution = maximise_pseudo_likelihood(family, np.array([[1], [1], [1], [0]]), np.ones(4))
    >>> round(float(solution.x[0]), 4)
    1.0986
    """
    total = float(row_weight.sum())
    share = row_weight / total
    plan = [_cells_by_state(family, codes, v) for v in range(len(family.cards))]
    sizes = [int(np.prod(s)) for s in family.shapes]

    def objective(weights: Floats) -> tuple[float, Floats]:
        logs = [t.ravel() for t in family.log_tables(weights)]
        slopes = [np.zeros(n) for n in sizes]
        value = 0.0
        for variable, cliques in enumerate(plan):
            if not cliques:
                value += float(np.log(family.cards[variable]))
                continue
            score = sum(logs[c][cells] for c, cells in cliques)
            log_p = score - logsumexp(score, axis=1, keepdims=True)
            own = codes[:, variable]
            rows = np.arange(len(codes))
            value -= float(share @ log_p[rows, own])
            slope = share[:, None] * np.exp(log_p)
            slope[rows, own] -= share
            for c, cells in cliques:
                slopes[c] += np.bincount(cells.ravel(), slope.ravel(), sizes[c])
        gradient = family.statistics(
            [s.reshape(h) for s, h in zip(slopes, family.shapes, strict=True)]
        )
        return value + 0.5 * alpha * float(weights @ weights), gradient + alpha * weights

    solution = minimise(Function(objective, family.size), LBFGS(tol, max_iter))
    return replace(solution, solver=f"pseudo-likelihood, {solution.solver}")


def _cells_by_state(family: LogLinear, codes: Indices, variable: int) -> list[tuple[int, Indices]]:
    """For every clique of a variable, the cell of each row if the variable had each state."""
    cells = []
    for c, (scope, shape) in enumerate(zip(family.scopes, family.shapes, strict=True)):
        if variable not in scope:
            continue
        base = np.zeros(len(codes), dtype=np.int64)
        stride = 1
        for v, card in zip(scope, shape, strict=True):
            base = base * card + (0 if v == variable else codes[:, v])
        for v, card in zip(reversed(scope), reversed(shape), strict=True):
            if v == variable:
                break
            stride *= card
        cells.append((c, base[:, None] + stride * np.arange(family.cards[variable])))
    return cells
