"""Graphs as matrices: incidence and walks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Array
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._undirected import UndirectedGraph


def incidence_matrix(graph: DAG | UndirectedGraph) -> NDArray[np.int8]:
    r"""Matrix of nodes (rows) by edges (columns) (graphs.01).

    Undirected: 1 at both ends, so that :math:`B B^\top = D + A` with the degrees :math:`D`.
    Directed: -1 where an arrow starts and 1 where it ends, so that
    :math:`B B^\top = D - A - A^\top` is the Laplacian of the skeleton.

    Examples
    --------
    >>> incidence_matrix(DAG.from_edges([("a", "b"), ("b", "c")])).tolist()
    [[-1, 0], [1, -1], [0, 1]]
    """
    matrix = np.zeros((len(graph), len(graph.edges)), dtype=np.int8)
    for column, (a, b) in enumerate(graph.edges):
        matrix[graph.index(a), column] = -1 if isinstance(graph, DAG) else 1
        matrix[graph.index(b), column] = 1
    return matrix


def walk_counts(graph: DAG | UndirectedGraph, length: int) -> Array:
    """Number of walks of a given length between all nodes, a power of the adjacency (graphs.01).

    Exact: Python integers take over where 64 bits could overflow. In a DAG the counts vanish once
    the length exceeds that of the longest path.

    Examples
    --------
    >>> triangle = UndirectedGraph(3, [(0, 1), (1, 2), (2, 0)])
    >>> walk_counts(triangle, 3).tolist()
    [[2, 3, 3], [3, 2, 3], [3, 3, 2]]
    """
    if length < 0:
        raise ValueError(f"walk_counts: length must be at least 0, got {length}")
    A = graph.adjacency()
    # No count exceeds the largest degree to this power.
    degree = int(A.sum(axis=1, dtype=np.int64).max(initial=0))
    exact: Any = np.int64 if degree**length < 2**62 else object
    return np.linalg.matrix_power(A.astype(exact), length)
