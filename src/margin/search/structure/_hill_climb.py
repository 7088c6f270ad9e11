"""Search for the graph of best score by single arcs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import Certificate, Solution, Status
from margin.core.types import Bytes, Floats
from margin.native.structure import structure
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._scores import NetworkScore


@dataclass(frozen=True)
class Climb:
    """How to climb.

    Parameters
    ----------
    max_parents : int, optional
        Most parents of a node.
    tabu_length : int
        Last moves that may not be undone while the walk passes maxima; 0 stops at the first.
    patience : int
        Moves in a row without a better graph after which a walk with tabu moves ends.
    n_restarts : int
        Walks from random changes of the best graph.
    perturbation : int
        Random changes before a restart.
    annealing : bool
        Whether to find the starting graph by simulated annealing.
    n_proposals : int
        Random moves of the annealing.
    hot, cold : float
        First and last temperature of the annealing, in units of the score.
    max_iter : int
        Most moves of one walk.
    tol : float
        Smallest gain worth a move.
    """

    max_parents: int | None = None
    tabu_length: int = 10
    patience: int = 15
    n_restarts: int = 0
    perturbation: int = 10
    annealing: bool = False
    n_proposals: int = 20_000
    hot: float = 100.0
    cold: float = 0.1
    max_iter: int = 100_000
    tol: float = 1e-9


class _Best(NamedTuple):
    """The best graph of some walks, their scores along the way, and how they ended."""

    graph: Bytes
    score: float
    traces: tuple[Floats, ...]
    endings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Walks:
    """Walks under one score, one set of rules and one source of randomness."""

    score: NetworkScore
    how: Climb
    knowledge: Knowledge
    rng: np.random.Generator
    n_threads: int

    @property
    def limit(self) -> int:
        most = self.how.max_parents
        return self.score.n_nodes if most is None else most

    def climb(
        self, graph: Bytes, tabu: int | None = None, max_iter: int | None = None
    ) -> tuple[Bytes, Floats, str]:
        return structure.climb(
            self.score.scorer,
            graph,
            self.knowledge.forbidden,
            self.knowledge.required,
            max_parents=self.limit,
            tabu=self.how.tabu_length if tabu is None else tabu,
            patience=max(self.how.patience, 1),
            max_iter=self.how.max_iter if max_iter is None else max_iter,
            tol=self.how.tol,
            n_threads=self.n_threads,
        )

    def anneal(self, graph: Bytes) -> tuple[Bytes, bool]:
        annealed, _, whole = structure.anneal(
            self.score.scorer,
            graph,
            self.knowledge.forbidden,
            self.knowledge.required,
            max_parents=self.limit,
            hot=self.how.hot,
            cold=self.how.cold,
            n_proposals=self.how.n_proposals,
            seed=int(self.rng.integers(2**63)),
        )
        return annealed, whole

    def restart(self, graph: Bytes) -> Bytes:
        return perturbed(graph, self.knowledge, self.limit, self.how.perturbation, self.rng)

    def search(self, graph: Bytes) -> _Best:
        """The best graph of all walks; an interruption ends them."""
        endings = []
        if self.how.annealing:
            graph, whole = self.anneal(graph)
            endings += [] if whole else ["interrupted"]
        best, value, traces = graph, self.score.total(graph), []
        for walk in range(1 + self.how.n_restarts):
            if "interrupted" in endings:
                break
            graph, trace, end = self.climb(self.restart(best) if walk else best)
            traces.append(trace)
            endings.append(end)
            total = self.score.total(graph)
            if not walk or total > value + self.how.tol:
                best, value = graph, total
        return _Best(best, value, tuple(traces), tuple(endings))

    def solution(self, best: _Best) -> Solution:
        """The graph, and what one more step would gain."""
        n_iter = sum(len(trace) - 1 for trace in best.traces)
        message, certificate = "", None
        if "interrupted" in best.endings:
            message = f"interrupted after {n_iter} moves"
        else:
            # One more plain step, on families that are all known: what it would gain.
            _, last, _ = self.climb(best.graph, tabu=0, max_iter=1)
            gain = float(last[-1] - last[0])
            certificate = Certificate("gain of the best single arc", gain, self.how.tol)
            if "max_iter" in best.endings:
                message = f"stopped after max_iter={self.how.max_iter} moves; raise max_iter"
        return Solution(
            x=best.graph.astype(np.float64),
            status=Status.MAX_ITER if message else Status.CONVERGED,
            n_iter=n_iter,
            objective=best.score,
            trace={"objective": np.concatenate([np.zeros(0), *best.traces])},
            certificate=certificate,
            solver=f"hill climbing, {self.score.kind}" + (", tabu" if self.how.tabu_length else ""),
            message=message,
            extras={"n_families": self.score.n_evaluated},
            interrupted="interrupted" in best.endings,
        )


def hill_climb(
    score: NetworkScore,
    how: Climb,
    knowledge: Knowledge,
    rng: np.random.Generator,
    *,
    start: Bytes | None = None,
    n_threads: int = 1,
) -> Solution:
    """Adjacency matrix (parent, child) of a graph that no single arc improves (graphical.37).

    Arcs are added, removed and reversed as long as the score rises. Gains are kept for all arcs and
    renewed only for the nodes whose parents changed; every family is counted once. A keyboard
    interrupt ends the search with the best graph so far.

    Returns
    -------
    Solution
        ``x`` is the matrix, the objective and the trace are scores, larger is better.
    """
    walks = _Walks(score, how, knowledge, rng, n_threads)
    begin = knowledge.required if start is None else start | knowledge.required
    return walks.solution(walks.search(np.ascontiguousarray(begin, dtype=np.uint8)))


def perturbed(
    graph: Bytes, knowledge: Knowledge, max_parents: int, n_changes: int, rng: np.random.Generator
) -> Bytes:
    """The graph after random legal changes of single arcs; still acyclic."""
    changed = graph.copy()
    p = len(graph)
    for _ in range(n_changes if p > 1 else 0):
        i, j = rng.choice(p, size=2, replace=False)
        if changed[i, j]:
            changed[i, j] = knowledge.required[i, j]
        elif not (knowledge.forbidden[i, j] or changed[j, i] or reaches(changed, j, i)):
            changed[i, j] = changed[:, j].sum() < max_parents
    return changed


def reaches(graph: Bytes, source: int, target: int) -> bool:
    """Whether a directed path leads from ``source`` to ``target``."""
    seen = np.zeros(len(graph), dtype=bool)
    front = [int(source)]
    while front:
        node = front.pop()
        if node == target:
            return True
        if not seen[node]:
            seen[node] = True
            front.extend(np.flatnonzero(graph[node]).tolist())
    return False
