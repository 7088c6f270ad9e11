"""What is asked of nodes, edges and matrices that graphs are made from."""

from collections.abc import Iterable
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Array
from margin.graphs._types import Edge, Node
from margin.native.graphs.edge_rows import EdgeRows, edge_rows


class NamedBits(Protocol):
    """A graph, for what is asked of sets of its nodes."""

    def bits(self, nodes: Any) -> int:
        """Bit set of one node or of a collection of nodes."""

    def named(self, bits: int) -> tuple[Node, ...]:
        """Names of a bit set."""


def listed(nodes: tuple[Node, ...], most: int = 8) -> str:
    """The nodes as an error names them, the first of many."""
    shown = ", ".join(repr(node) for node in nodes[:most])
    return f"the nodes {shown}" + (", …" if len(nodes) > most else "")


def checked_nodes(owner: object, nodes: Iterable[Node] | int) -> dict[Node, int]:
    """Nodes with their positions; a number means 0, 1, …; duplicates are refused."""
    if isinstance(nodes, int) and not isinstance(nodes, bool):
        if nodes < 0:
            raise check.fail(owner, "nodes", "a number of at least 0 or the names", nodes)
        return {i: i for i in range(nodes)}
    if isinstance(nodes, str | bytes) or not isinstance(nodes, Iterable):
        raise check.fail(owner, "nodes", "a number or a collection of names", nodes)
    names = tuple(nodes)
    try:
        index = {node: i for i, node in enumerate(names)}
    except TypeError:
        unfit = next(node for node in names if not _can_be_looked_up(node))
        raise check.fail(owner, "nodes", "hashable", unfit) from None
    if len(index) < len(names) or None in index or [node for node in index if node != node]:
        seen: set[Node] = set()
        for node in names:
            if node in seen or node is None or node != node:
                raise check.fail(owner, "nodes", "distinct and not None or NaN", node)
            seen.add(node)
    return index


def edges_alone(nodes: Any, edges: Any) -> tuple[Any, Any]:
    """Nodes and edges of a call: a collection of pairs without edges is one of edges.

    Examples
    --------
    >>> edges_alone([("a", "b"), ("b", "c")], None)
    (('a', 'b', 'c'), (('a', 'b'), ('b', 'c')))
    >>> edges_alone(["a", "b"], None), edges_alone([("a", "b")], ())
    ((('a', 'b'), ()), ([('a', 'b')], ()))
    """
    if edges is not None:
        return nodes, edges
    if isinstance(nodes, int | str | bytes) or not isinstance(nodes, Iterable):
        return nodes, ()
    items = tuple(nodes)
    if items and all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
        return ends_of(items), items
    return items, ()


def _can_be_looked_up(node: object) -> bool:
    try:
        hash(node)
    except TypeError:
        return False
    return True


def checked_edges(
    owner: object, parameter: str, edges: Iterable[Edge], index: dict[Node, int]
) -> tuple[Edge, ...]:
    """Pairs of different nodes, repeats dropped, order kept."""
    return rows_of_edges(owner, parameter, edges, index)[0]


def rows_of_edges(
    owner: object, parameter: str, edges: Iterable[Edge], index: dict[Node, int]
) -> tuple[tuple[Edge, ...], EdgeRows]:
    """The same, and what they say of every node.

    Examples
    --------
    >>> rows_of_edges("DAG", "edges", [("b", "a"), ["b", "a"]], {"a": 0, "b": 1})[0]
    (('b', 'a'),)
    """
    pairs = tuple(edges)
    rows = edge_rows(index, pairs)
    if rows is None:
        pairs = tuple(_as_pair(owner, parameter, edge) for edge in pairs)
        rows = edge_rows(index, pairs)
        if rows is None:
            raise _misfit(owner, parameter, pairs, index)
    return pairs if rows.distinct else tuple(dict.fromkeys(pairs)), rows


def _as_pair(owner: object, parameter: str, edge: Any) -> Edge:
    if isinstance(edge, str | bytes) or not isinstance(edge, Iterable):
        raise check.fail(owner, parameter, "pairs of nodes", edge)
    return cast(Edge, tuple(edge))


def _misfit(
    owner: object, parameter: str, edges: tuple[tuple[Node, ...], ...], index: dict[Node, int]
) -> ValueError:
    """What is wrong with the first edge that is not one of two different nodes."""
    for edge in edges:
        if len(edge) != 2:
            return check.fail(owner, parameter, "pairs of nodes", edge)
        if not all(_can_be_looked_up(node) and node in index for node in edge):
            return check.fail(owner, parameter, f"between {listed(tuple(index))}", edge)
        if edge[0] == edge[1]:
            return check.fail(owner, parameter, "between two different nodes", edge)
    raise AssertionError("every edge is one of two different nodes")


def ends_of(edges: Iterable[Iterable[Node]]) -> tuple[Node, ...]:
    """Nodes in the order in which edges first name them."""
    return tuple(dict.fromkeys(node for edge in edges for node in edge))


def disjoint_sets(owner: str, graph: NamedBits, X: Any, Y: Any, given: Any) -> tuple[int, int, int]:
    """Bit sets of three sets of nodes that must not overlap; ``X`` and ``Y`` not empty."""
    x, y, z = graph.bits(X), graph.bits(Y), graph.bits(given)
    for name, bits in (("X", x), ("Y", y)):
        if not bits:
            raise ValueError(f"{owner}: {name} must name at least one node, got none")
    shared = x & y | x & z | y & z
    if shared:
        text = ", ".join(repr(node) for node in graph.named(shared))
        raise ValueError(f"{owner}: X, Y and given must be disjoint, got {text} more than once")
    return x, y, z


def square(owner: str, matrix: ArrayLike) -> Array:
    """Square array, or a refusal."""
    array = np.asarray(matrix)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(f"{owner}: matrix must be square, got shape {array.shape}")
    return array
