"""Directed acyclic graphs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.graphs._types import Edge, Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import find_cycle, topological_order
from margin.graphs.kinds._checks import checked_nodes, edges_alone, ends_of, rows_of_edges, square
from margin.graphs.kinds._graph import Graph


@dataclass(frozen=True, init=False, eq=False)
class DAG(Graph):
    """Directed acyclic graph over named nodes (graphs.01, graphs.03).

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Names of the nodes; a number ``n`` stands for 0, …, n - 1.
    edges : iterable of (parent, child), optional
        Arrows. A node's parents keep the order in which their arrows are listed. Without it, a
        collection of pairs as ``nodes`` is one of arrows, whose ends are the nodes; give
        ``edges=()`` for nodes that are themselves pairs.

    Examples
    --------
    >>> dag = DAG("abcd", [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    Traceback (most recent call last):
    ValueError: DAG: nodes must be a number or a collection of names, got 'abcd'
    >>> dag = DAG([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])
    >>> dag.parents("d"), dag.ancestors("b"), dag.descendants("b")
    (('b', 'c'), ('a',), ('d',))
    >>> DAG(2, [(0, 1), (1, 0)])
    Traceback (most recent call last):
    ValueError: DAG: edges must form no directed cycle, got 0 -> 1 -> 0
    """

    edge_kinds: ClassVar[tuple[Kind, ...]] = ("directed",)

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    _index: dict[Node, int] = field(repr=False)
    _families: tuple[tuple[Node, ...], ...] = field(repr=False)
    _parents: tuple[int, ...] = field(repr=False)
    _children: tuple[int, ...] = field(repr=False)
    _order: tuple[int, ...] = field(repr=False)

    def __init__(self, nodes: Iterable[Node] | int, edges: Iterable[Edge] | None = None) -> None:
        nodes, edges = edges_alone(nodes, edges)
        index = checked_nodes(self, nodes)
        arrows, rows = rows_of_edges(self, "edges", edges, index)
        families: dict[Node, list[Node]] = {node: [] for node in index}
        for parent, child in arrows:
            families[child].append(parent)
        order = topological_order(rows.behind)
        names = tuple(index)
        if len(order) < len(names):
            cycle = find_cycle(rows.behind)
            text = " -> ".join(str(names[i]) for i in [*cycle, cycle[0]])
            raise ValueError(f"DAG: edges must form no directed cycle, got {text}")
        for name, value in {
            "nodes": names,
            "edges": arrows,
            "_index": index,
            "_families": tuple(map(tuple, families.values())),
            "_parents": rows.behind,
            "_children": rows.ahead,
            "_order": tuple(order),
        }.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_edges(cls, edges: Iterable[Edge]) -> "DAG":
        """Graph whose nodes are those the edges name, in that order."""
        pairs = [tuple(edge) for edge in edges]
        return cls(ends_of(pairs), pairs)  # type: ignore[arg-type]

    @classmethod
    def from_adjacency(cls, matrix: ArrayLike, nodes: Iterable[Node] | None = None) -> "DAG":
        """Graph with an edge from ``i`` to ``j`` wherever ``matrix[i, j]`` is not zero.

        Examples
        --------
        >>> DAG.from_adjacency([[0, 1], [0, 0]], ["rain", "wet"]).edges
        (('rain', 'wet'),)
        """
        array = square(cls.__name__, matrix)
        names = tuple(range(len(array)) if nodes is None else nodes)
        if len(names) != len(array):
            raise check.fail(cls.__name__, "nodes", f"as many as the {len(array)} rows", len(names))
        return cls(names, [(names[i], names[j]) for i, j in np.argwhere(array != 0).tolist()])

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        links = list(links)
        for a, b, kind in links:
            if kind != "directed":
                raise check.fail(cls.__name__, "edges", "directed", f"{kind} edge {a!r}, {b!r}")
        return cls(nodes, [(a, b) for a, b, _ in links])

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""
        for parent, child in self.edges:
            yield parent, child, "directed"

    def parents(self, node: Node) -> tuple[Node, ...]:
        """Nodes with an arrow into ``node``, in the order in which the arrows were listed."""
        return self._families[self.index(node)]

    def children(self, node: Node) -> tuple[Node, ...]:
        """Nodes that ``node`` has an arrow into."""
        return self.named(self._children[self.index(node)])

    def family(self, node: Node) -> tuple[Node, ...]:
        """The node, then its parents."""
        return (node, *self.parents(node))

    def co_parents(self, node: Node) -> tuple[Node, ...]:
        """Other parents of the children of ``node``."""
        i = self.index(node)
        parents = 0
        for child in _sets.members(self._children[i]):
            parents |= self._parents[child]
        return self.named(parents & ~(1 << i))

    def ancestors(self, nodes: Any) -> tuple[Node, ...]:
        """Nodes with a directed path to one of ``nodes``, which are not themselves included."""
        start = self.bits(nodes)
        return self.named(_sets.closure(start, self._parents) & ~start)

    def descendants(self, nodes: Any) -> tuple[Node, ...]:
        """Nodes that a directed path reaches from ``nodes``, which are not themselves included."""
        start = self.bits(nodes)
        return self.named(_sets.closure(start, self._children) & ~start)

    def directed_paths(self, start: Node, end: Node) -> Iterator[tuple[Node, ...]]:
        """Paths along the arrows, one at a time; there may be exponentially many (graphs.03).

        Examples
        --------
        >>> list(DAG(3, [(0, 1), (1, 2), (0, 2)]).directed_paths(0, 2))
        [(0, 1, 2), (0, 2)]
        """
        first, last = self.index(start), self.index(end)
        above = _sets.closure(1 << last, self._parents)  # never walk into a dead end
        waiting: list[tuple[int, ...]] = [(first,)]
        while waiting:
            path = waiting.pop()
            if path[-1] == last:
                yield tuple(self.nodes[i] for i in path)
                continue
            steps = list(_sets.members(self._children[path[-1]] & above))
            waiting += [(*path, step) for step in reversed(steps)]

    def roots(self) -> tuple[Node, ...]:
        """Nodes without parents."""
        return tuple(node for node, bits in zip(self.nodes, self._parents, strict=True) if not bits)

    def leaves(self) -> tuple[Node, ...]:
        """Nodes without children."""
        return tuple(n for n, bits in zip(self.nodes, self._children, strict=True) if not bits)

    def topological_order(self) -> tuple[Node, ...]:
        """Every parent before its children: in this order the adjacency matrix is triangular."""
        return tuple(self.nodes[i] for i in self._order)

    def adjacency(self, order: Iterable[Node] | None = None) -> NDArray[np.int8]:
        """Matrix with 1 at (parent, child), rows and columns as in ``order`` (default: nodes)."""
        rows = range(len(self)) if order is None else [self.index(node) for node in order]
        place = {node: at for at, node in enumerate(rows)}
        matrix = np.zeros((len(place), len(place)), dtype=np.int8)
        for parent, at in place.items():
            for child in _sets.members(self._children[parent]):
                if child in place:
                    matrix[at, place[child]] = 1
        return matrix

    def subgraph(self, nodes: Any) -> "DAG":
        """Only these nodes and the arrows between them."""
        kept = set(self.members(nodes))
        inside = [(a, b) for a, b in self.edges if a in kept and b in kept]
        return DAG([node for node in self.nodes if node in kept], inside)

    def without_edges(self, edges: Iterable[Edge]) -> "DAG":
        """The same nodes less some arrows."""
        gone = set(edges)
        return DAG(self.nodes, [edge for edge in self.edges if edge not in gone])
