"""Mixed graphs: arrows, bidirected edges for hidden common causes, undirected edges."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from margin.core import check
from margin.graphs._types import Edge, Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import find_cycle
from margin.graphs.kinds._checks import checked_nodes, disjoint_sets, edges_alone, rows_of_edges
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._graph import Graph


@dataclass(frozen=True, init=False, eq=False)
class MixedGraph(Graph):
    """Arrows, bidirected and undirected edges, without a directed cycle (graphs.04).

    ``a <-> b`` says that something hidden causes both. A pair may have an arrow and a bidirected
    edge at once; an undirected edge stands alone.

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Names of the nodes; a number ``n`` stands for 0, …, n - 1.
    directed : iterable of (parent, child), optional
        Arrows. Without any edges, a collection of pairs as ``nodes`` is one of arrows, whose ends
        are the nodes; give ``directed=()`` for nodes that are themselves pairs.
    bidirected, undirected : iterable of pairs
        Edges with two arrowheads, and with none.

    Examples
    --------
    >>> graph = MixedGraph(["x", "m", "y"], [("x", "m"), ("m", "y")], [("x", "y")])
    >>> graph.spouses("x"), graph.m_separated("x", "y", given="m")
    (('y',), False)
    """

    edge_kinds: ClassVar[tuple[Kind, ...]] = ("directed", "undirected", "bidirected")

    nodes: tuple[Node, ...]
    directed: tuple[Edge, ...]
    bidirected: tuple[Edge, ...]
    undirected: tuple[Edge, ...]
    _index: dict[Node, int] = field(repr=False)
    _order: tuple[int, ...] = field(repr=False)
    _parents: tuple[int, ...] = field(repr=False)
    _children: tuple[int, ...] = field(repr=False)
    _spouses: tuple[int, ...] = field(repr=False)
    _neighbours: tuple[int, ...] = field(repr=False)

    def __init__(
        self,
        nodes: Iterable[Node] | int,
        directed: Iterable[Edge] | None = None,
        bidirected: Iterable[Edge] = (),
        undirected: Iterable[Edge] = (),
    ) -> None:
        bidirected, undirected = tuple(bidirected), tuple(undirected)
        others = directed is None and (bidirected or undirected)
        nodes, directed = edges_alone(nodes, () if others else directed)
        index = checked_nodes(self, nodes)
        names = tuple(index)
        arrows, rows = rows_of_edges(self, "directed", directed, index)
        if len(rows.order) < len(names):
            cycle = find_cycle(rows.behind)
            text = " -> ".join(str(names[i]) for i in [*cycle, cycle[0]])
            raise ValueError(f"MixedGraph: directed must form no directed cycle, got {text}")
        hidden, spouses = _symmetric("bidirected", bidirected, index)
        joined, neighbours = _symmetric("undirected", undirected, index)
        for i, bits in enumerate(neighbours if joined else ()):
            if bits & (rows.ahead[i] | rows.behind[i] | spouses[i]):
                raise check.fail(self, "undirected", "the only edge of its pair", names[i])
        vars(self).update(
            nodes=names,
            directed=arrows,
            bidirected=hidden,
            undirected=joined,
            _index=index,
            _order=rows.order,
            _parents=rows.behind,
            _children=rows.ahead,
            _spouses=spouses,
            _neighbours=neighbours,
        )

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        kinds: dict[str, list[Edge]] = {"directed": [], "bidirected": [], "undirected": []}
        for a, b, kind in links:
            kinds[kind].append((a, b))
        return cls(nodes, **kinds)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Arrows, then bidirected, then undirected edges."""
        return self.directed + self.bidirected + self.undirected

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""
        for a, b in self.directed:
            yield a, b, "directed"
        for a, b in self.bidirected:
            yield a, b, "bidirected"
        for a, b in self.undirected:
            yield a, b, "undirected"

    def parents(self, node: Node) -> tuple[Node, ...]:
        """Nodes with an arrow into ``node``."""
        return self.named(self._parents[self.index(node)])

    def children(self, node: Node) -> tuple[Node, ...]:
        """Nodes that ``node`` has an arrow into."""
        return self.named(self._children[self.index(node)])

    def spouses(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node`` by a bidirected edge."""
        return self.named(self._spouses[self.index(node)])

    def neighbours(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node`` by an undirected edge."""
        return self.named(self._neighbours[self.index(node)])

    def ancestors(self, nodes: Any) -> tuple[Node, ...]:
        """Nodes with a directed path to one of ``nodes``, which are not themselves included."""
        start = self.bits(nodes)
        return self.named(_sets.closure(start, self._parents) & ~start)

    def descendants(self, nodes: Any) -> tuple[Node, ...]:
        """Nodes that a directed path reaches from ``nodes``, which are not themselves included."""
        start = self.bits(nodes)
        return self.named(_sets.closure(start, self._children) & ~start)

    def leads(self, X: Any, Y: Any) -> bool:
        """Whether a directed path leads from a node of ``X`` to one of ``Y`` outside ``X``."""
        start = self.bits(X)
        return bool(_sets.closure(start, self._children) & ~start & self.bits(Y))

    def topological_order(self) -> tuple[Node, ...]:
        """Every parent before its children, one generation after the other."""
        return tuple([self.nodes[i] for i in self._order])

    def districts(self) -> tuple[tuple[Node, ...], ...]:
        """Parts joined by bidirected edges (c-components)."""
        left, parts = (1 << len(self)) - 1, []
        while left:
            part = _sets.closure(left & -left, self._spouses)
            parts.append(self.named(part))
            left &= ~part
        return tuple(parts)

    def with_hidden(self) -> DAG:
        """DAG in which every bidirected edge is an auxiliary common cause ``("hidden", a, b)``.

        Examples
        --------
        >>> MixedGraph(["a", "b"], bidirected=[("a", "b")]).with_hidden().parents("a")
        (('hidden', 'a', 'b'),)
        """
        if self.undirected:
            raise check.fail(self, "undirected", "empty for a DAG", self.undirected)
        causes = [("hidden", a, b) for a, b in self.bidirected]
        arrows: list[Edge] = list(self.directed)
        for cause in causes:
            arrows += [(cause, cause[1]), (cause, cause[2])]
        return DAG([*self.nodes, *causes], arrows)

    def m_separated(self, X: Any, Y: Any, given: Any = ()) -> bool:
        """Whether ``given`` blocks every path between ``X`` and ``Y``.

        A node on a path is a collider when both edges have an arrowhead at it. A path is open when
        no other node of it is given and every collider is given or has a given descendant. No
        arrowhead may point at a node with an undirected edge (as in ancestral graphs).

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], bidirected=[("a", "b"), ("b", "c")])
        >>> graph.m_separated("a", "c"), graph.m_separated("a", "c", given="b")
        (True, False)
        """
        x, y, z = disjoint_sets("MixedGraph.m_separated", self, X, Y, given)
        return not self._connected(x, z) & y

    def m_connected(self, X: Any, given: Any = ()) -> tuple[Node, ...]:
        """Nodes that an open path reaches from ``X``, those of ``X`` included.

        Examples
        --------
        >>> graph = MixedGraph(["a", "b", "c"], bidirected=[("a", "b"), ("b", "c")])
        >>> graph.m_connected("a"), graph.m_connected("a", given="b")
        (('a', 'b'), ('a', 'c'))
        """
        start, given_bits = self.bits(X), self.bits(given)
        return self.named(self._connected(start & ~given_bits, given_bits))

    def _connected(self, start: int, given: int) -> int:
        for node, joined in enumerate(self._neighbours):
            if joined and self._parents[node] | self._spouses[node]:
                name = self.nodes[node]
                raise check.fail(self, "undirected", "away from arrowheads to be read", name)
        opened = _sets.closure(given, self._parents)
        tail, head = start, 0  # entered by an edge without, with an arrowhead here
        was_tail = was_head = 0
        while tail or head:
            was_tail |= tail
            was_head |= head
            from_tails = (tail | head) & ~given  # may leave by an edge without arrowhead here
            from_heads = tail & ~given | head & opened
            tail = head = 0
            for node in _sets.members(from_tails):
                head |= self._children[node]
                tail |= self._neighbours[node]
            for node in _sets.members(from_heads):
                tail |= self._parents[node]
                head |= self._spouses[node]
            tail &= ~was_tail
            head &= ~was_head
        return (was_tail | was_head) & ~given


def _symmetric(
    parameter: str, edges: tuple[Edge, ...], index: dict[Node, int]
) -> tuple[tuple[Edge, ...], tuple[int, ...]]:
    """Edges without a direction, each once and in order, and the rows of bits."""
    if not edges:
        return (), (0,) * len(index)
    pairs, rows = rows_of_edges("MixedGraph", parameter, edges, index)
    both = tuple([a | b for a, b in zip(rows.ahead, rows.behind, strict=True)])
    if rows.rising:
        return pairs, both
    names = tuple(index)
    return tuple(
        (names[i], names[j]) for i, bits in enumerate(both) for j in _sets.members(bits) if i < j
    ), both
