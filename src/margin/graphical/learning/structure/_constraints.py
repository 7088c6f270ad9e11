"""From a skeleton to the attributes of a constraint-based estimator."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core import Solution, Status, check
from margin.graphical.learning.structure import _columns
from margin.graphs import DAG, PDAG, UndirectedGraph, extend_pdag
from margin.search import FisherZ, IndependenceTest, NetworkScore, Skeleton, orient


def store(owner: Any, frame: Any, test: IndependenceTest, found: Skeleton, solver: str) -> None:
    """Orient the skeleton and store graph, separating sets, score and report."""
    names = test.names
    known = _columns.knowledge(owner, names)
    oriented = orient(found.adjacency, found.separators, known)
    graph = _columns.pdag(oriented.adjacency, names)
    score = score_of(owner, graph, test)
    notes = [f"{sum(found.n_tests)} tests, by size of the condition {list(found.n_tests)}"]
    if sum(found.n_skipped):
        notes.append(f"{sum(found.n_skipped)} tests had too little data and removed nothing")
    if oriented.conflicts:
        notes.append(f"{len(oriented.conflicts)} common effects contradict others; not drawn")
    if np.isnan(score):
        notes.append("no score: the test has no likelihood")
    owner.graph_ = graph
    owner.skeleton_ = UndirectedGraph.from_adjacency(found.adjacency, names)
    # Pairs, not mappings: those of tuples cannot be saved by skops.
    owner._separators = tuple(
        ((names[i], names[j]), tuple(names[s] for s in given))
        for (i, j), given in found.separators.items()
    )
    owner.removals_ = tuple((names[i], names[j], found.p_values[i, j]) for i, j in found.removals())
    owner._edge_p_values = tuple(
        ((names[i], names[j]), float(found.largest_p[i, j]))
        for i, j in np.argwhere(np.triu(found.adjacency)).tolist()
    )
    owner.conflicts_ = tuple(tuple(names[v] for v in triple) for triple in oriented.conflicts)
    owner.n_tests_ = found.n_tests
    owner.score_ = score
    _columns.remember(owner, frame, names)
    solution = Solution(
        x=found.adjacency.astype(np.float64),
        status=Status.CONVERGED,
        n_iter=len(found.n_tests),
        objective=score,
        trace={"objective": np.array(found.n_tests, dtype=float)},
        solver=solver,
    )
    owner.fit_report_ = check.report(owner, solution, tuple(notes))


def score_of(owner: Any, graph: Any, test: IndependenceTest) -> float:
    """BIC of an acyclic extension of the graph; NaN where the test has no likelihood."""
    data: Any = getattr(test, "data", None)
    if not isinstance(test, FisherZ) and not hasattr(data, "codes"):
        return float("nan")
    extended = extend_pdag(graph)
    arcs = along_the_arrows(graph) if extended is None else extended.adjacency()
    return NetworkScore.of(owner, data, "bic").total(arcs)


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
