"""The graph of best score, exactly."""

from __future__ import annotations

from itertools import combinations
from math import comb, log, log2

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status
from margin.core.types import Bytes, Floats
from margin.native.structure import structure
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._scores import NetworkScore

Masks = NDArray[np.uint64]

MOST_NODES = 22
_FAMILY = 700  # steps of a family without rows


def parent_sets(n_nodes: int, max_parents: int) -> Masks:
    """Bit masks of all sets of at most ``max_parents`` nodes, by size.

    Examples
    --------
    >>> parent_sets(3, 2).tolist()
    [0, 1, 2, 4, 3, 5, 6]
    """
    sets = [
        sum(1 << i for i in chosen)
        for size in range(max_parents + 1)
        for chosen in combinations(range(n_nodes), size)
    ]
    return np.array(sets, dtype=np.uint64)


def largest_sets(n_nodes: int, n_rows: int, n_states: float, max_work: float) -> int:
    """Size of the largest sets of parents that can all be counted within a number of steps.

    A family is one pass over the rows; where it has more cells than fit a table, a row costs some
    fifty times as much. Single parents are always affordable.

    Examples
    --------
    >>> largest_sets(10, 100_000, 2.0, 4e9)
    9
    >>> largest_sets(20, 300, 3.0, 4e9)
    6
    """
    work = 0.0
    for size in range(n_nodes):
        dense = n_states ** (size + 1) <= 4 * n_rows + 1000
        family = _FAMILY + n_rows if dense else 4 * _FAMILY + 50 * n_rows
        work += n_nodes * comb(n_nodes - 1, size) * family
        if work > max_work and size > 1:
            return size - 1
    return n_nodes - 1


def useful_parents(n_rows: float, kind: str) -> int | None:
    r"""Most parents that a node may have in a graph of best score; ``None`` where that is open.

    Parents raise the log likelihood of a node of r states by :math:`n \log r` at most, and by
    that of q configurations BIC's penalty grows by :math:`\tfrac12 (q - 1) (r - 1) \log n`, where
    :math:`q \ge 2^k` for k parents of several states. Rows must have no gaps, and arcs must not
    be required.

    References
    ----------
    C. P. de Campos and Q. Ji, "Efficient structure learning of Bayesian networks using
    constraints", JMLR 12 (2011), section 4.

    Examples
    --------
    >>> useful_parents(40, "bic"), useful_parents(10_000, "bic"), useful_parents(40, "bdeu")
    (4, 10, None)
    """
    price = {"bic": 0.5 * log(max(n_rows, 1.0)), "aic": 1.0}.get(kind, 0.0)
    return int(log2(1.0 + n_rows * log(2.0) / price)) if price > 0 else None


def family_scores(
    score: NetworkScore, knowledge: Knowledge, masks: Masks, n_threads: int = 1
) -> Floats:
    """Score of every node under every set of parents, minus infinity where not allowed."""
    table = structure.family_table(score.scorer, masks, n_threads)
    for child in range(score.n_nodes):
        never = _mask(knowledge.forbidden[:, child])
        must = _mask(knowledge.required[:, child])
        table[child, (masks & never != 0) | (masks & must != must)] = -np.inf
    return table


def exact_search(
    score: NetworkScore, knowledge: Knowledge, *, max_parents: int | None = None, n_threads: int = 1
) -> Solution:
    r"""Adjacency matrix of the best graph, by dynamic programming over sets of nodes.

    The best graph on a set of nodes has a sink, whose best parents are among the others and which
    leaves the best graph on those: :math:`O(p\, 2^p)` time and memory after the families are
    scored.
    """
    p = score.n_nodes
    limit = p - 1 if max_parents is None else min(max_parents, p - 1)
    masks = parent_sets(p, limit)
    table = np.full((p, 2**p), -np.inf)
    table[:, masks.astype(np.int64)] = family_scores(score, knowledge, masks, n_threads)
    value, parents = structure.best_network(table, n_threads)
    adjacency = np.zeros((p, p), dtype=np.uint8)
    for child, mask in enumerate(parents.tolist()):
        adjacency[[i for i in range(p) if mask >> i & 1], child] = 1
    feasible = bool(np.isfinite(value))
    return Solution(
        x=adjacency.astype(np.float64),
        status=Status.CONVERGED if feasible else Status.FAILED,
        n_iter=1,
        objective=float(value),
        trace={"objective": np.array([value])},
        certificate=Certificate("distance from the best graph", 0.0, 0.0) if feasible else None,
        solver=f"dynamic programming over {2**p} sets, {score.kind}",
        message="" if feasible else "no graph satisfies the required and forbidden arcs",
        extras={"n_families": int(p * len(masks))},
    )


def _mask(column: Bytes) -> np.uint64:
    return np.uint64(sum(1 << int(i) for i in np.flatnonzero(column)))
