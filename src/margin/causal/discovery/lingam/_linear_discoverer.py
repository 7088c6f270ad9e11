"""What learners of linear equations make of an order."""

from typing import Any

import numpy as np
from scipy.stats import normaltest

from margin.causal.discovery._discoverer import Discoverer, graph_of
from margin.causal.discovery._table import Table
from margin.causal.discovery.lingam._elimination import linear_effects
from margin.core import Solution, check, threads
from margin.core.types import Floats
from margin.search import Knowledge

_ENOUGH_ROWS = 20  # for a test of normality


class LinearDiscoverer(Discoverer):
    """Learner of linear effects along an order; abstract."""

    prune: str | None

    def _read(self, X: Any) -> tuple[Table, Knowledge, Floats]:
        """Columns, knowledge and standardised columns; what cannot be used is refused."""
        owner = type(self).__name__
        table = Table.of(owner, X)
        table.refuse_collinear(owner)
        return table, self._knowledge(table.names), table.standardised()

    def _keep(
        self, X: Any, table: Table, known: Knowledge, order: tuple[int, ...], solution: Solution,
        notes: tuple[str, ...],
    ) -> None:  # fmt: skip
        Z, n_rows = table.standardised(), len(table.values)
        penalty = np.log(n_rows) if self.prune else 0.0
        with threads.single_blas():  # a small system for every column
            effects = linear_effects(Z.T @ Z / n_rows, n_rows, order, known, penalty)
        spread = table.values.std(axis=0)
        self.adjacency_ = effects * (spread[:, None] / spread)
        self.order_ = tuple(table.names[i] for i in order)
        self.graph_ = graph_of(effects, table.names)
        self._keep_names(X, table.names)
        notes = (*notes, *table.notes, *normality_notes(Z - Z @ effects.T, table.names))
        self.fit_report_ = check.report(self, solution, notes)


def normality_notes(noise: Floats, names: tuple[Any, ...]) -> tuple[str, ...]:
    """A note where more than one column of noise cannot be told from a normal one.

    Examples
    --------
    >>> normality_notes(np.random.default_rng(0).normal(size=(500, 2)), ("a", "b"))
    ("noise of 'a', 'b' cannot be told from normal: arrows between them may point either way",)
    """
    if len(noise) < _ENOUGH_ROWS:
        return ()
    p_values = np.atleast_1d(normaltest(noise, axis=0).pvalue)
    normal = [repr(name) for name, p in zip(names, p_values, strict=True) if p > 0.05]
    if len(normal) < 2:
        return ()
    listed = ", ".join(normal[:6]) + (", …" if len(normal) > 6 else "")
    return (
        f"noise of {listed} cannot be told from normal: arrows between them may point either way",
    )
