"""Structural expectation maximisation: graphs that are better for completed rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from margin.core import Solution, Status
from margin.core.types import Bytes, Floats, Ints
from margin.graphical.cpds._counts import table_from_counts
from margin.graphical.learning.structure._completion import complete
from margin.inference import (
    Expectation,
    JunctionTree,
    RelativeGain,
    Repaired,
    expectation_maximisation,
)
from margin.search import Categories, Climb, Knowledge, NetworkScore, hill_climb


class _Work:
    """Table entries that a search may visit, and what is left of them."""

    def __init__(self, most: float) -> None:
        self.left = most

    def turns(self, cost: float) -> int:
        """How often something of this cost can be done; once in any case."""
        return max(1, int(self.left / max(cost, 1.0)))

    def spend(self, cost: float) -> None:
        """Take note of what was done."""
        self.left -= cost


class ScoredNetwork(NamedTuple):
    """A graph with its tables, ready for inference, and its penalised likelihood."""

    graph: Bytes
    tables: list[Floats]
    tree: JunctionTree
    score: float


@dataclass(frozen=True, eq=False)
class StructuralSearch:
    """Data, rules and limits of one search; see :class:`StructuralEM`."""

    data: Categories
    kind: str
    how: Climb
    known: Knowledge
    rng: np.random.Generator
    max_completions: int
    tol: float
    max_iter: int
    max_work: float
    n_threads: int

    def run(self) -> Solution:
        """Graph, tables and the penalised likelihood of the observed values on the way."""
        solution = expectation_maximisation(
            lambda network: Expectation(network.score, network),
            lambda network, _: self._improved(network),
            [self._fitted(*self._climb(self.data, None))],
            tol=self.tol,
            max_iter=self.max_iter,
            measure=RelativeGain(floor=np.finfo(np.float64).tiny),
            unit="structure",
            solver=f"structural EM, {self.kind}",
        )
        best: ScoredNetwork = solution.extras["statistics"]
        if self._work.left <= 0 and solution.status.ok:
            told = f"stopped after {solution.n_iter} structures within max_work={self.max_work:g}"
            advice = "raise max_work or tol, or lower max_parents"
            solution = replace(solution, status=Status.MAX_ITER, message=f"{told}; {advice}")
        return replace(
            solution,
            x=best.graph.astype(np.float64),
            objective=best.score,
            trace={"objective": -solution.trace["objective"]},
            extras={"tables": best.tables, "smallest_step": solution.extras["smallest_step"]},
        )

    @cached_property
    def _work(self) -> _Work:
        return _Work(self.max_work)

    @cached_property
    def _rows(self) -> Ints:
        return self.data.evidence().astype(np.int32)

    @cached_property
    def _weight(self) -> Floats:
        return np.ones(len(self._rows)) if self.data.weight is None else self.data.weight

    def _improved(self, network: ScoredNetwork) -> ScoredNetwork | Repaired[ScoredNetwork]:
        """A better graph for the completed rows, with its tables; the same where there is none."""
        if self._work.left <= 0:
            return network
        graph, tables = self._climb(self._complete(network), network.graph)
        if (graph == network.graph).all():
            return network
        proposed = self._fitted(graph, tables)
        if proposed.score > network.score:
            return proposed
        return Repaired(network, ("a graph better for completed rows was not so for the observed",))

    def _fitted(self, graph: Bytes, start: list[Floats]) -> ScoredNetwork:
        """The graph with maximum-likelihood tables, by EM, and its score."""
        tree = JunctionTree.compile(tuple(self.data.cards.tolist()), self._scopes(graph))
        cost = tree.plan.operations * len(self._rows)

        def expect(tables: list[Floats]) -> Expectation[list[Floats]]:
            log_evidence, counts = tree.expected_counts(
                tables, self._rows, self._weight, n_threads=self.n_threads
            )
            return Expectation(float(self._weight @ log_evidence), counts)

        fit = expectation_maximisation(
            expect,
            lambda counts, tables: [table_from_counts(c)[0] for c in counts],
            [start],
            tol=0.1 * self.tol,
            max_iter=self._work.turns(cost),
            measure=RelativeGain(floor=np.finfo(np.float64).tiny),
        )
        self._work.spend(cost * (fit.n_iter + 1))
        if fit.interrupted:
            raise KeyboardInterrupt
        return ScoredNetwork(graph, list(fit.x), tree, -fit.objective - self._penalty(graph))

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
        score = NetworkScore.of("StructuralEM", data, self.kind)
        climb = hill_climb(
            score, self.how, self.known, self.rng, start=start, n_threads=self.n_threads
        )
        graph = climb.x.astype(np.uint8)
        counts = [data.counts(scope) for scope in self._scopes(graph)]
        prior = float(data.incomplete.any())
        return graph, [table_from_counts(c + prior / c.size)[0] for c in counts]

    def _complete(self, network: ScoredNetwork) -> Categories:
        rows, mass = complete(
            lambda some: network.tree.marginals(network.tables, some, n_threads=self.n_threads)[1],
            self._rows,
            self._weight,
            self.max_completions,
            self.rng,
        )
        codes = np.ascontiguousarray(rows.T, dtype=np.uint16)
        return replace(self.data, codes=codes, weight=mass)
