"""Order and parents from the independence of residuals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from margin.causal.discovery.lingam._triangular import waiting
from margin.causal.discovery.mechanisms._dependence import Measure
from margin.core.types import Floats
from margin.search import Knowledge

Regress = Callable[[int, Sequence[int]], Floats]


@dataclass(frozen=True, eq=False)
class ResidualGraph:
    """What residuals say about causes.

    Parameters
    ----------
    order : tuple of int
        Columns, causes first.
    parents : tuple of tuple of int
        Parents of every column.
    removal_p : dict of (cause, effect) to float
        p-value of the residuals of the effect without the cause, where that was tried.
    noise_p : ndarray of shape (p,)
        p-value of the residuals of i on its parents against all columns before it.
    n_regressions, n_tests : int
    """

    order: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]
    removal_p: dict[tuple[int, int], float]
    noise_p: Floats
    n_regressions: int
    n_tests: int


def residual_graph(
    values: Floats, regress: Regress, measure: Measure, knowledge: Knowledge, alpha: float
) -> ResidualGraph:
    """Sinks from last to first, then what every column can do without.

    The last column is the one whose residuals, after a regression on all others, depend least on
    them. Then, from causes to effects, a parent goes where the residuals without it are still
    independent of *all* earlier columns: of its own too, for a cause that is missing in the
    regression is still in the residuals.
    """
    order = _order(values, regress, measure, knowledge)
    p = len(order)
    n_tests = p * (p + 1) // 2 - 1
    noise = np.ones(p)
    removal: dict[tuple[int, int], float] = {}
    parents: list[tuple[int, ...]] = [()] * p
    n_regressions = n_tests
    for place, target in enumerate(order):
        before = order[:place]
        kept = _allowed(knowledge, target, before)
        for cause in list(kept):
            if knowledge.required[cause, target]:
                continue
            rest = [c for c in kept if c != cause]
            outcome = measure(regress(target, rest), values[:, before])
            removal[cause, target] = outcome.p_value
            n_regressions, n_tests = n_regressions + 1, n_tests + 1
            if outcome.p_value > alpha:
                kept = rest
        parents[target] = tuple(kept)
        if place:
            noise[target] = measure(regress(target, kept), values[:, before]).p_value
            n_regressions, n_tests = n_regressions + 1, n_tests + 1
    return ResidualGraph(tuple(order), tuple(parents), removal, noise, n_regressions, n_tests)


def _order(values: Floats, regress: Regress, measure: Measure, knowledge: Knowledge) -> list[int]:
    waits = waiting(knowledge)
    left = list(range(values.shape[1]))
    order: list[int] = []
    while len(left) > 1:
        last = [k for k in left if not waits[left, k].any()]
        ranks = {}
        for k in last:
            others = [c for c in left if c != k]
            causes = _allowed(knowledge, k, others)
            ranks[k] = measure(regress(k, causes), values[:, others]).rank
        order.append(min(last, key=lambda k: ranks[k]))
        left.remove(order[-1])
    return [*left, *order[::-1]]


def _allowed(knowledge: Knowledge, target: int, causes: Sequence[int]) -> list[int]:
    return [c for c in causes if not knowledge.forbidden[c, target]]
