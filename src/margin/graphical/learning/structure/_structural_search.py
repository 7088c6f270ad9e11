"""The loop of structural expectation maximisation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status
from margin.graphical.cpds._counts import table_from_counts
from margin.graphical.learning.structure._completion import complete
from margin.inference import JunctionTree
from margin.search import Categories, Climb, Knowledge, NetworkScore, hill_climb

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class StructuralSearch:
    """Data, rules and limits of one search; see :class:`StructuralEM`."""

    owner: Any
    data: Categories
    kind: str
    how: Climb
    known: Knowledge
    rng: np.random.Generator
    max_completions: int
    tol: float
    max_iter: int
    n_threads: int

    def run(self) -> Solution:
        """Graph, tables and the penalised likelihood of the observed values on the way."""
        rows = self.data.evidence().astype(np.int32)
        weight = np.ones(len(rows)) if self.data.weight is None else self.data.weight
        graph, tables = self._climb(self.data, None)
        trace: list[float] = []
        best: tuple[Bytes, list[Floats]] | None = None
        status, message, gain = Status.MAX_ITER, f"stopped after max_iter={self.max_iter}", np.inf
        try:
            for _ in range(self.max_iter):
                tree = JunctionTree.compile(tuple(self.data.cards.tolist()), self._scopes(graph))
                tables, value = self._parameters(tree, tables, rows, weight)
                value -= self._penalty(graph)
                gain = value - trace[-1] if trace else np.inf
                if gain > 0:
                    best = graph, tables
                    trace.append(value)
                if gain <= self.tol * abs(value):
                    status, message = Status.CONVERGED, ""
                    break
                filled = self._complete(tree, tables, rows, weight)
                found, tables = self._climb(filled, graph)
                if (found == graph).all():
                    status, message, gain = Status.CONVERGED, "", 0.0
                    break
                graph = found
        except KeyboardInterrupt:
            if best is None:
                raise
            message = f"interrupted after {len(trace)} structures"
        assert best is not None
        return Solution(
            x=best[0].astype(np.float64),
            status=status,
            n_iter=len(trace),
            objective=trace[-1],
            trace={"objective": np.array(trace)},
            certificate=Certificate("relative gain", max(gain, 0.0) / abs(trace[-1]), self.tol),
            solver=f"structural EM, {self.kind}",
            message=message,
            extras={"tables": best[1]},
        )

    def _scopes(self, graph: Bytes) -> tuple[tuple[int, ...], ...]:
        return tuple((*np.flatnonzero(graph[:, j]).tolist(), j) for j in range(len(graph)))

    def _penalty(self, graph: Bytes) -> float:
        cards = self.data.cards
        free = sum(
            (cards[child] - 1) * prod(cards[v] for v in parents)
            for *parents, child in self._scopes(graph)
        )
        return float(free * (0.5 * np.log(self.data.total) if self.kind == "bic" else 1.0))

    def _climb(self, data: Categories, start: Bytes | None) -> tuple[Bytes, list[Floats]]:
        """Graph that is best for some rows, and its tables; a little prior where there are gaps."""
        score = NetworkScore.of(self.owner, data, self.kind)
        found = hill_climb(
            score, self.how, self.known, self.rng, start=start, n_threads=self.n_threads
        )
        graph = found.x.astype(np.uint8)
        counts = [data.counts(scope) for scope in self._scopes(graph)]
        prior = float(data.incomplete.any())
        return graph, [table_from_counts(c + prior / c.size)[0] for c in counts]

    def _parameters(
        self, tree: JunctionTree, tables: list[Floats], rows: Any, weight: Floats
    ) -> tuple[list[Floats], float]:
        """Maximum-likelihood tables by EM, and the log-likelihood of the observed values."""
        before = -np.inf
        while True:
            log_evidence, counts = tree.expected_counts(
                tables, rows, weight, n_threads=self.n_threads
            )
            value = float(weight @ log_evidence)
            if value - before <= 0.1 * self.tol * abs(value):
                return tables, value
            tables, before = [table_from_counts(c)[0] for c in counts], value

    def _complete(
        self, tree: JunctionTree, tables: list[Floats], rows: Any, weight: Floats
    ) -> Categories:
        filled, mass = complete(
            lambda some: tree.marginals(tables, some, n_threads=self.n_threads)[1],
            rows,
            weight,
            self.max_completions,
            self.rng,
        )
        codes = np.ascontiguousarray(filled.T, dtype=np.uint16)
        return replace(self.data, codes=codes, weight=mass)
