"""Spanning trees of greatest or least weight."""

from collections.abc import Callable, Iterable, Mapping

from margin.graphs._types import Edge, Node
from margin.graphs.kinds._undirected import UndirectedGraph

Weight = Mapping[Edge, float] | Callable[[Node, Node], float]


def spanning_tree(
    graph: UndirectedGraph, weight: Weight | None = None, *, largest: bool = True
) -> UndirectedGraph:
    """Spanning tree of the greatest (or least) total weight, by Kruskal's rule (graphs.06).

    Edges are taken from the heaviest down, leaving out those that would close a cycle. A
    disconnected graph gives a tree for each of its parts.

    Parameters
    ----------
    graph : UndirectedGraph
        Graph to span.
    weight : mapping of edge to float, or callable of two nodes, optional
        Weights of the edges; an edge may be spelt in either direction. All 1 by default.
    largest : bool
        Greatest total weight; False for the least.

    Returns
    -------
    UndirectedGraph
        The same nodes and the edges of the tree.

    Notes
    -----
    For a dense matrix of weights :func:`scipy.sparse.csgraph.minimum_spanning_tree` is enough.

    Examples
    --------
    >>> triangle = UndirectedGraph(3, [(0, 1), (1, 2), (0, 2)])
    >>> spanning_tree(triangle, {(0, 1): 3.0, (1, 2): 1.0, (2, 0): 2.0}).edges
    ((0, 1), (0, 2))
    """
    valued = [(_weight(weight, edge), edge) for edge in graph.edges]
    valued.sort(key=lambda item: -item[0] if largest else item[0])
    pairs = [(graph.index(a), graph.index(b)) for _, (a, b) in valued]
    return UndirectedGraph(graph.nodes, [valued[i][1] for i in forest(len(graph), pairs)])


def _weight(weight: Weight | None, edge: Edge) -> float:
    if weight is None:
        return 1.0
    a, b = edge
    if callable(weight):
        value = float(weight(a, b))
    elif (a, b) in weight or (b, a) in weight:
        value = float(weight[a, b] if (a, b) in weight else weight[b, a])
    else:
        raise ValueError(f"spanning_tree: weight must name every edge, got none for {edge!r}")
    if value != value:
        raise ValueError(f"spanning_tree: weight must be a number, got NaN for {edge!r}")
    return value


def forest(n: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Positions of the pairs that join what is not yet joined, in the order given.

    Examples
    --------
    >>> forest(3, [(0, 1), (1, 0), (1, 2)])
    [0, 2]
    """
    root = list(range(n))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    taken: list[int] = []
    for at, (a, b) in enumerate(pairs):
        left, right = find(a), find(b)
        if left != right:
            root[left] = right
            taken.append(at)
    return taken
