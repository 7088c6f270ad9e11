"""Cliques of undirected graphs."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.graphs.kinds import _bits
from margin.graphs.kinds._graph import Node
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
    neighbours = graph._neighbours
    found: list[int] = []
    later = (1 << len(graph)) - 1
    for node in degeneracy_order(neighbours):
        later &= ~(1 << node)
        around = neighbours[node]
        _extend(neighbours, 1 << node, around & later, around & ~later, found)
    found.sort(key=lambda bits: tuple(_bits.members(bits)))
    return tuple(graph.named(bits) for bits in found)


def _extend(
    neighbours: tuple[int, ...], clique: int, open_: int, closed: int, found: list[int]
) -> None:
    """Report every maximal clique that adds nodes of ``open_`` and none of ``closed``."""
    # An explicit stack: a clique may be longer than Python's recursion is deep.
    stack = [(clique, open_, closed)]
    while stack:
        clique, open_, closed = stack.pop()
        if not open_:
            if not closed:
                found.append(clique)
            continue
        candidates = _bits.members(open_ | closed)
        pivot = max(candidates, key=lambda node: (neighbours[node] & open_).bit_count())
        for node in _bits.members(open_ & ~neighbours[pivot]):
            around = neighbours[node]
            stack.append((clique | 1 << node, open_ & around, closed & around))
            open_ &= ~(1 << node)
            closed |= 1 << node


def degeneracy_order(neighbours: tuple[int, ...] | list[int]) -> list[int]:
    """Nodes by repeatedly taking one of least degree among those left.

    Examples
    --------
    >>> degeneracy_order([0b1110, 0b1, 0b1, 0b1])  # a star: leaves before the hub
    [1, 2, 3, 0]
    """
    degree = [bits.bit_count() for bits in neighbours]
    buckets: list[dict[int, None]] = [{} for _ in range(len(degree) + 1)]
    for node, count in enumerate(degree):
        buckets[count][node] = None
    order: list[int] = []
    gone, least = 0, 0
    while len(order) < len(degree):
        least = max(least - 1, 0)
        while not buckets[least]:
            least += 1
        node = next(iter(buckets[least]))
        del buckets[least][node]
        order.append(node)
        gone |= 1 << node
        for other in _bits.members(neighbours[node] & ~gone):
            del buckets[degree[other]][other]
            degree[other] -= 1
            buckets[degree[other]][other] = None
    return order


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
    for node in _bits.members(bits):
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
