"""From a skeleton to the graph of a constraint-based learner, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import Solution, Status
from margin.graphs import DAG, PDAG, UndirectedGraph, extend_pdag
from margin.search import FisherZ, IndependenceTest, Knowledge, NetworkScore, Skeleton, orient


@dataclass(frozen=True, eq=False)
class Constraints:
    """What tests of independence say about the columns; see :class:`PC`.

    Parameters
    ----------
    graph : PDAG
    skeleton : UndirectedGraph
    separators, edge_p_values : tuple of (pair, value)
        Pairs, not mappings: those of tuples cannot be saved by skops.
    removals, conflicts : tuple of tuples
    n_tests : tuple of int
    solution : Solution
        Numbers of tests as a trace; the objective is the score.
    notes : tuple of str
        For the report.
    """

    graph: PDAG
    skeleton: UndirectedGraph
    separators: tuple[tuple[tuple[Any, Any], tuple[Any, ...]], ...]
    edge_p_values: tuple[tuple[tuple[Any, Any], float], ...]
    removals: tuple[tuple[Any, Any, float], ...]
    conflicts: tuple[tuple[Any, ...], ...]
    n_tests: tuple[int, ...]
    solution: Solution
    notes: tuple[str, ...]


def tests_used_up(max_tests: int) -> str:
    """What to say when there were more tests to make than allowed."""
    return (
        f"stopped after max_tests={max_tests} tests, edges may be too many; raise max_tests or "
        "alpha, or lower max_cond_size"
    )


def constraints(
    test: IndependenceTest, skeleton: Skeleton, known: Knowledge, solver: str, max_tests: int
) -> Constraints:
    """Orient the skeleton; graph, separating sets, score and notes."""
    names = test.names
    oriented = orient(skeleton.adjacency, skeleton.separators, known)
    graph = PDAG.from_adjacency(np.asarray(oriented.adjacency), names)
    score = score_of(graph, test)
    solution = Solution(
        x=skeleton.adjacency.astype(np.float64),
        status=Status.MAX_ITER if skeleton.cut else Status.CONVERGED,
        message=tests_used_up(max_tests) if skeleton.cut else "",
        n_iter=len(skeleton.n_tests),
        objective=score,
        trace={"objective": np.array(skeleton.n_tests, dtype=float)},
        solver=f"{solver}, {type(test).__name__}",
    )
    return Constraints(
        graph=graph,
        skeleton=UndirectedGraph.from_adjacency(skeleton.adjacency, names),
        separators=tuple(
            ((names[i], names[j]), tuple(names[s] for s in given))
            for (i, j), given in skeleton.separators.items()
        ),
        edge_p_values=tuple(
            ((names[i], names[j]), float(skeleton.largest_p[i, j]))
            for i, j in np.argwhere(np.triu(skeleton.adjacency)).tolist()
        ),
        removals=tuple(
            (names[i], names[j], skeleton.p_values[i, j]) for i, j in skeleton.removals()
        ),
        conflicts=tuple(tuple(names[v] for v in triple) for triple in oriented.conflicts),
        n_tests=skeleton.n_tests,
        solution=solution,
        notes=_notes(skeleton, len(oriented.conflicts), score),
    )


def _notes(skeleton: Skeleton, n_conflicts: int, score: float) -> tuple[str, ...]:
    n_tests, n_skipped = skeleton.n_tests, sum(skeleton.n_skipped)
    notes = [f"{sum(n_tests)} tests, by size of the condition {list(n_tests)}"]
    if n_skipped:
        notes.append(f"{n_skipped} tests had too little data and removed nothing")
    if n_conflicts:
        notes.append(f"{n_conflicts} common effects contradict others; not drawn")
    if np.isnan(score):
        notes.append("no score: the test has no likelihood")
    return tuple(notes)


def score_of(graph: PDAG, test: IndependenceTest) -> float:
    """BIC of an acyclic extension of the graph; NaN where the test has no likelihood."""
    data: Any = getattr(test, "data", None)
    if not isinstance(test, FisherZ) and not hasattr(data, "codes"):
        return float("nan")
    extended = extend_pdag(graph)
    arcs = along_the_arrows(graph) if extended is None else extended.adjacency()
    return NetworkScore.of("score", data, "bic").total(arcs)


def along_the_arrows(graph: PDAG) -> Any:
    """Adjacency with every open edge directed along an order that the arrows allow.

    Examples
    --------
    >>> along_the_arrows(PDAG(3, directed=[(2, 0)], undirected=[(0, 1), (1, 2)])).tolist()
    [[0, 0, 0], [1, 0, 1], [1, 0, 0]]
    """
    order = DAG(graph.nodes, graph.directed).topological_order()
    rank = np.array([order.index(node) for node in graph.nodes])
    return np.where(rank[:, None] < rank, graph.adjacency(), 0)
