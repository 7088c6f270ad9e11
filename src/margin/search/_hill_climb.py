"""Search for the graph of best score by single arcs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status
from margin.native import structure
from margin.search._knowledge import Knowledge
from margin.search._scores import NetworkScore

Bytes = NDArray[np.uint8]


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
    renewed only for the nodes whose parents changed; every family is counted once.

    Returns
    -------
    Solution
        ``x`` is the matrix, the objective and the trace are scores, larger is better.
    """
    p = score.n_nodes
    limit = p if how.max_parents is None else how.max_parents
    begin = knowledge.required if start is None else start | knowledge.required
    begin = np.ascontiguousarray(begin, dtype=np.uint8)

    def walk(
        graph: Bytes, tabu: int = how.tabu_length, max_iter: int = how.max_iter
    ) -> tuple[Bytes, NDArray[np.float64], bool]:
        return structure.climb(
            score.scorer,
            graph,
            knowledge.forbidden,
            knowledge.required,
            max_parents=limit,
            tabu=tabu,
            patience=max(how.patience, 1),
            max_iter=max_iter,
            tol=how.tol,
            n_threads=n_threads,
        )

    def shake(graph: Bytes, hot: float, cold: float, n_proposals: int) -> Bytes:
        return structure.anneal(
            score.scorer,
            graph,
            knowledge.forbidden,
            knowledge.required,
            max_parents=limit,
            hot=hot,
            cold=cold,
            n_proposals=n_proposals,
            seed=int(rng.integers(2**63)),
        )[0]

    if how.annealing:
        begin = shake(begin, how.hot, how.cold, how.n_proposals)
    best, trace, converged = walk(begin)
    value = score.total(best)
    values = [trace]
    for _ in range(how.n_restarts):
        graph, trace, ended = walk(perturbed(best, knowledge, limit, how.perturbation, rng))
        values.append(trace)
        converged = converged and ended
        if (found := score.total(graph)) > value + how.tol:
            best, value = graph, found
    # One more plain step, on families that are all known: what it would gain is the certificate.
    _, last, _ = walk(best, tabu=0, max_iter=1)
    gain = float(last[-1] - last[0])
    n_iter = sum(len(v) - 1 for v in values)
    status = Status.CONVERGED if converged else Status.MAX_ITER
    return Solution(
        x=best.astype(np.float64),
        status=status,
        n_iter=n_iter,
        objective=value,
        trace={"objective": np.concatenate(values)},
        certificate=Certificate("gain of the best single arc", gain, how.tol),
        solver=f"hill climbing, {score.kind}" + (", tabu" if how.tabu_length else ""),
        message="" if converged else f"stopped after max_iter={how.max_iter} moves; raise max_iter",
        extras={"n_families": score.n_evaluated},
    )


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
