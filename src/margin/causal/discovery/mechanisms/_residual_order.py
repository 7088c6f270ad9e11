"""Order and parents from the independence of residuals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from margin.causal.discovery.lingam._triangular import waiting
from margin.causal.discovery.mechanisms._dependence import Dependence, Measure
from margin.core.types import Floats
from margin.search import Knowledge

Regress = Callable[[int, Sequence[int]], Floats]
Price = Callable[[int, int], float]


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
        p-value of the residuals of i on its parents against all columns before it; one where that
        was not tried.
    n_tests : int
        Regressions, each with a test.
    complete : bool
        Whether all were made that the search asked for.
    """

    order: tuple[int, ...]
    parents: tuple[tuple[int, ...], ...]
    removal_p: dict[tuple[int, int], float]
    noise_p: Floats
    n_tests: int
    complete: bool


@dataclass
class Trials:
    """Regressions and the tests of their residuals, as far as a budget goes.

    Parameters
    ----------
    values : ndarray of shape (n_rows, p)
    regress, measure : callable
    price : callable
        ``price(n_causes, n_columns)`` of a regression and a test against columns.
    max_work : float
        Prices that may be paid.
    """

    values: Floats
    regress: Regress
    measure: Measure
    price: Price = field(default=lambda n_causes, n_columns: 0.0)
    max_work: float = np.inf
    paid: float = 0.0
    n_tests: int = 0
    complete: bool = True

    def __call__(
        self, target: int, causes: Sequence[int], columns: Sequence[int]
    ) -> Dependence | None:
        """How residuals of a target depend on columns; nothing once the budget is used up."""
        self.paid += self.price(len(causes), len(columns))
        self.complete = self.complete and self.paid <= self.max_work
        if not self.complete:
            return None
        self.n_tests += 1
        return self.measure(self.regress(target, causes), self.values[:, list(columns)])


def residual_graph(trials: Trials, knowledge: Knowledge, alpha: float) -> ResidualGraph:
    """Sinks from last to first, then what every column can do without.

    The last column is the one whose residuals, after a regression on all others, depend least on
    them. Then, from causes to effects, a parent goes where the residuals without it are still
    independent of *all* earlier columns: of its own too, for a cause that is missing in the
    regression is still in the residuals. When the budget is used up, columns that are left are
    ordered by what they last showed, and parents that were not tried stay.
    """
    order, outcomes = _order(trials, knowledge)
    p = len(order)
    noise = np.ones(p)
    removal: dict[tuple[int, int], float] = {}
    parents: list[tuple[int, ...]] = [()] * p
    for place, target in enumerate(order):
        before = order[:place]
        kept = _allowed(knowledge, target, before)
        noise[target] = outcomes[target].p_value if target in outcomes else 1.0
        for cause in list(kept):
            if knowledge.required[cause, target]:
                continue
            rest = [c for c in kept if c != cause]
            outcome = trials(target, rest, before)
            if outcome is None:
                break
            removal[cause, target] = outcome.p_value
            if outcome.p_value > alpha:
                kept, noise[target] = rest, outcome.p_value
        parents[target] = tuple(kept)
    return ResidualGraph(
        tuple(order), tuple(parents), removal, noise, trials.n_tests, trials.complete
    )


def _order(trials: Trials, knowledge: Knowledge) -> tuple[list[int], dict[int, Dependence]]:
    """The order, and what was found about columns against all before them."""
    waits = waiting(knowledge)
    left = list(range(trials.values.shape[1]))
    last: list[int] = []
    latest: dict[int, Dependence] = {}
    outcomes: dict[int, Dependence] = {}
    while len(left) > 1:
        free = [k for k in left if not waits[left, k].any()]
        seen = {}
        for k in free if trials.complete else []:
            others = [c for c in left if c != k]
            outcome = trials(k, _allowed(knowledge, k, others), others)
            if outcome is not None:
                seen[k] = outcome
        latest |= seen
        # Those that were never looked at go first.
        sink = min(free, key=lambda k: latest[k].rank if k in latest else _UNKNOWN)
        if sink in seen:
            outcomes[sink] = seen[sink]
        last.append(sink)
        left.remove(sink)
    return [*left, *last[::-1]], outcomes


_UNKNOWN = (1.0, 0.0)


def _allowed(knowledge: Knowledge, target: int, causes: Sequence[int]) -> list[int]:
    return [c for c in causes if not knowledge.forbidden[c, target]]
