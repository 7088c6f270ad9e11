"""Triangulated graphs, recognised by maximum-cardinality search."""

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.kinds._undirected import UndirectedGraph


def perfect_elimination_order(graph: UndirectedGraph) -> tuple[Node, ...] | None:
    """Order in which every node's later neighbours are a clique; None if there is none.

    Such an order exists exactly when every cycle longer than three has a chord (graphs.02). The
    search numbers, from the last to the first, a node with most neighbours already numbered.

    Examples
    --------
    >>> square = UndirectedGraph(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> perfect_elimination_order(square) is None
    True
    >>> perfect_elimination_order(UndirectedGraph(3, [(0, 1), (1, 2)]))
    (2, 1, 0)
    """
    neighbours = graph._neighbours
    left, numbered = (1 << len(graph)) - 1, 0
    order: list[int] = []
    while left:
        node = max(_sets.members(left), key=lambda i: ((neighbours[i] & numbered).bit_count(), -i))
        earlier = neighbours[node] & numbered
        if any(earlier & ~neighbours[i] != 1 << i for i in _sets.members(earlier)):
            return None
        order.append(node)
        numbered |= 1 << node
        left &= ~(1 << node)
    return tuple(graph.nodes[i] for i in reversed(order))


def is_triangulated(graph: UndirectedGraph) -> bool:
    """Whether every cycle longer than three has a chord (graphs.02).

    Examples
    --------
    >>> square = UndirectedGraph(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> is_triangulated(square)
    False
    """
    return perfect_elimination_order(graph) is not None
