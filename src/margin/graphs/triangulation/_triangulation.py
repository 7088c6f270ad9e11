"""Triangulated graphs."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from margin.graphs._types import Edge, Node
from margin.graphs.bits import _sets
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.triangulation._elimination import elimination_cliques, triangulate_adjacency


@dataclass(frozen=True)
class Triangulation:
    """An elimination order, the maximal cliques it makes and the edges it adds.

    Parameters
    ----------
    order : tuple
        Nodes in the order of elimination.
    cliques : tuple of tuple
        Maximal cliques of the triangulated graph.
    fill : tuple of pairs
        Edges that were added.
    log_size : float
        Logarithm of the total number of entries of a table per clique.
    """

    order: tuple[Node, ...]
    cliques: tuple[tuple[Node, ...], ...]
    fill: tuple[Edge, ...]
    log_size: float

    @property
    def width(self) -> int:
        """Size of the largest clique, less one: an upper bound of the tree-width."""
        return max((len(clique) for clique in self.cliques), default=0) - 1


def triangulate(
    graph: UndirectedGraph,
    weights: Mapping[Node, float] | None = None,
    heuristic: str = "min-fill",
    *,
    n_restarts: int = 0,
) -> Triangulation:
    """Add edges until every cycle longer than three has a chord, by eliminating node after node.

    Parameters
    ----------
    graph : UndirectedGraph
        What to triangulate, for example a moral graph.
    weights : mapping of node to float, optional
        Number of states of each node (default 2); a clique costs their product.
    heuristic : {"min-fill", "weighted-min-fill", "min-weight", "min-degree", "best", "exact"}
        How the next node is chosen; see :func:`triangulate_adjacency`.
    n_restarts : int
        Further greedy runs with scores blurred at random; the smallest total size wins.

    Returns
    -------
    Triangulation
        Order, maximal cliques, added edges and total size.

    Examples
    --------
    >>> square = UndirectedGraph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> result = triangulate(square)
    >>> result.cliques, result.fill, result.width
    ((('a', 'b', 'd'), ('b', 'c', 'd')), (('b', 'd'),), 2)
    """
    states = None if weights is None else [_weight(weights, node) for node in graph.nodes]
    order, cliques = triangulate_adjacency(
        graph._neighbours, states, heuristic, n_restarts=n_restarts
    )
    return _described(graph, order, [_sets.mask(clique) for clique in cliques], states)


def triangulate_in_order(graph: UndirectedGraph, order: tuple[Node, ...]) -> Triangulation:
    """Triangulation by eliminating the nodes in an order of your own.

    Examples
    --------
    >>> star = UndirectedGraph.from_edges([("hub", "a"), ("hub", "b"), ("hub", "c")])
    >>> triangulate_in_order(star, ("hub", "a", "b", "c")).width
    3
    """
    numbers = [graph.index(node) for node in order]
    if sorted(numbers) != list(range(len(graph))):
        raise ValueError("triangulate_in_order: order must name every node once")
    return _described(graph, numbers, elimination_cliques(graph._neighbours, numbers), None)


def _weight(weights: Mapping[Node, float], node: Node) -> float:
    if node not in weights:
        raise ValueError(f"triangulate: weights must name every node, got none for {node!r}")
    return float(weights[node])


def _described(
    graph: UndirectedGraph, order: list[int], cliques: list[int], states: list[float] | None
) -> Triangulation:
    filled = [0] * len(graph)
    total = 0.0
    for clique in cliques:
        size = 1.0
        for i in _sets.members(clique):
            filled[i] |= clique
            size *= 2.0 if states is None else states[i]
        total += size
    fill = tuple(
        (graph.nodes[i], graph.nodes[j])
        for i, bits in enumerate(filled)
        for j in _sets.members(bits & ~graph._neighbours[i])
        if i < j
    )
    return Triangulation(
        tuple(graph.nodes[i] for i in order),
        tuple(graph.named(clique) for clique in cliques),
        fill,
        log(total) if total else -float("inf"),
    )
