"""Cliques of undirected graphs."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.bits._cliques import maximal_cliques_of_rows
from margin.graphs.kinds._undirected import UndirectedGraph


def maximal_cliques(graph: UndirectedGraph) -> tuple[tuple[Node, ...], ...]:
    """Sets of mutually joined nodes that no further node can join (graphs.05).

    Notes
    -----
    Branches on the nodes that a pivot is not joined to (Bron and Kerbosch with Tomita's pivot),
    starting from a degeneracy order: exponential only in the degeneracy of the graph.

    Examples
    --------
    >>> graph = UndirectedGraph.from_edges(["AB", "AC", "BC", "BD", "CD"])
    >>> maximal_cliques(graph)
    (('A', 'B', 'C'), ('B', 'C', 'D'))
    """
    return tuple(graph.named(bits) for bits in maximal_cliques_of_rows(graph._neighbours))


def is_clique(graph: UndirectedGraph, nodes: Any, *, maximal: bool = False) -> bool:
    """Whether the nodes are mutually joined and, if asked, no other node joins them all.

    A clique that is not maximal is also called a cliquo (graphs.05).

    Examples
    --------
    >>> graph = UndirectedGraph.from_edges(["AB", "AC", "BC", "BD", "CD"])
    >>> is_clique(graph, "ABCD")
    Traceback (most recent call last):
    ValueError: UndirectedGraph: node must be one of the nodes 'A', 'B', 'C', 'D', got 'ABCD'
    >>> is_clique(graph, list("ABCD")), is_clique(graph, list("BC"))
    (False, True)
    >>> is_clique(graph, list("BC"), maximal=True)
    False
    """
    bits = graph.bits(nodes)
    shared = (1 << len(graph)) - 1
    for node in _sets.members(bits):
        shared &= graph._neighbours[node] | 1 << node
    return bits & ~shared == 0 and not (maximal and shared & ~bits)


def clique_matrix(
    graph: UndirectedGraph, cliques: Iterable[Iterable[Node]] | None = None
) -> NDArray[np.int8]:
    """Matrix with 1 where a node (row) is in a clique (column) (graphs.01, graphs.05).

    By default the maximal cliques. The product with its transpose counts shared cliques off the
    diagonal: it is not zero exactly where an edge is. With the edges as cliques it is the incidence
    matrix.

    Examples
    --------
    >>> graph = UndirectedGraph.from_edges(["AB", "AC", "BC", "BD", "CD"])
    >>> clique_matrix(graph).tolist()
    [[1, 0], [1, 1], [1, 1], [0, 1]]
    """
    sets = maximal_cliques(graph) if cliques is None else tuple(map(tuple, cliques))
    matrix = np.zeros((len(graph), len(sets)), dtype=np.int8)
    for column, clique in enumerate(sets):
        if not is_clique(graph, list(clique)):
            raise ValueError(f"clique_matrix: cliques must be mutually joined, got {clique!r}")
        matrix[[graph.index(node) for node in clique], column] = 1
    return matrix
