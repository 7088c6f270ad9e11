"""Partial ancestral graphs: what is common to all worlds with the same independences."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from margin.core import check
from margin.graphs._types import Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import transposed
from margin.graphs.kinds._checks import checked_edges, checked_nodes, ends_of
from margin.graphs.kinds._graph import Graph
from margin.graphs.kinds._marked_edges import (
    KIND_OF,
    SYMBOL_OF,
    MarkedEdge,
    checked_marks,
    read_marks,
)
from margin.graphs.kinds._mixed import MixedGraph
from margin.graphs.kinds._undirected import UndirectedGraph

Mark = Literal["arrow", "tail", "circle"]


@dataclass(frozen=True, init=False, eq=False)
class PAG(Graph):
    r"""Partial ancestral graph: edges whose ends are tails, arrowheads or open (graphs.04).

    A PAG stands for all directed acyclic graphs with hidden and selected variables that imply the
    same independences among those that are seen. Its marks are what these have in common:

    ========  ==============================================================================
    edge      meaning
    ========  ==============================================================================
    a --> b   a is a cause, direct or not, of b (or of the selection, without selection: of b)
    a <-> b   neither is a cause of the other: something hidden causes both
    a o-> b   b is no cause of a
    a o-o b   nothing is known but that no set of variables separates them
    a --- b   both are causes of the selection
    a o-- b   b is a cause of a or of the selection
    ========  ==============================================================================

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Names of the nodes; a number ``n`` stands for 0, …, n - 1.
    edges : iterable of (a, symbol, b), or of str
        At most one edge per pair: ``("a", "o->", "b")`` or ``"a o-> b"``, in either direction.
        Without it ``nodes`` is a collection of edges, whose ends are the nodes.

    Examples
    --------
    >>> graph = PAG(["a o-> c", "b o-> c", "c --> d"])
    >>> graph.mark("a", "c"), graph.mark("c", "a"), graph.possible_ancestors("d")
    ('arrow', 'circle', ('a', 'c', 'b'))
    >>> print(graph)
    a o-> c
    c --> d
    b o-> c
    """

    edge_kinds: ClassVar[tuple[Kind, ...]] = tuple(KIND_OF.values())

    nodes: tuple[Node, ...]
    edges: tuple[MarkedEdge, ...]
    _index: dict[Node, int] = field(repr=False)
    _heads: tuple[int, ...] = field(repr=False)
    _tails: tuple[int, ...] = field(repr=False)
    _circles: tuple[int, ...] = field(repr=False)

    def __init__(
        self, nodes: Iterable[Any] | int, edges: Iterable[MarkedEdge | str] | None = None
    ) -> None:
        if edges is None:
            edges = () if isinstance(nodes, int) else checked_marks(self, nodes)
            nodes = nodes if isinstance(nodes, int) else ends_of((a, b) for a, _, b in edges)
        index = checked_nodes(self, nodes)
        marks: dict[str, list[int]] = {mark: [0] * len(index) for mark in "<-o"}
        for a, symbol, b in checked_marks(self, edges):
            checked_edges(self, "edges", [(a, b)], index)
            i, j = index[a], index[b]
            marks[symbol[0]][i] |= 1 << j
            marks["<" if symbol[2] == ">" else symbol[2]][j] |= 1 << i
        self._fill(index, marks["<"], marks["-"], marks["o"])

    def _fill(
        self, index: dict[Node, int], heads: list[int], tails: list[int], circles: list[int]
    ) -> None:
        names = tuple(index)
        for i in range(len(names)):
            twice = heads[i] & tails[i] | heads[i] & circles[i] | tails[i] & circles[i]
            if twice:
                pair = (names[i], names[next(_sets.members(twice))])
                raise check.fail(self, "edges", "at most one per pair", pair)
        rows = (tuple(heads), tuple(tails), tuple(circles))
        for name, value in {
            "nodes": names,
            "edges": tuple(_listed(names, *rows)),
            "_index": index,
            "_heads": rows[0],
            "_tails": rows[1],
            "_circles": rows[2],
        }.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_bits(
        cls,
        nodes: Iterable[Node] | int,
        heads: Iterable[int],
        tails: Iterable[int],
        circles: Iterable[int],
    ) -> "PAG":
        """Graph from bit sets: for each node those whose edge to it has this mark at it."""
        graph = object.__new__(cls)
        graph._fill(checked_nodes(graph, nodes), list(heads), list(tails), list(circles))
        return graph

    @classmethod
    def from_mixed(cls, graph: MixedGraph) -> "PAG":
        """A maximal ancestral graph with the same marks, none of them open."""
        return cls._from_links(graph.nodes, graph.links())

    @classmethod
    def from_text(cls, text: str) -> "PAG":
        """Read edges by line, ``;`` or ``,``, also in dagitty's ``pag { a @-> b }``.

        Examples
        --------
        >>> PAG.from_text("a o-> c <-o b; d").edges
        (('a', 'o->', 'c'), ('b', 'o->', 'c'))
        """
        return cls(*read_marks(cls.__name__, text))

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        return cls(nodes, [(a, SYMBOL_OF[kind], b) for a, b, kind in links])

    def __str__(self) -> str:
        joined = {node for a, _, b in self.edges for node in (a, b)}
        alone = [str(node) for node in self.nodes if node not in joined]
        return "\n".join([*(f"{a} {symbol} {b}" for a, symbol, b in self.edges), *alone])

    def to_dagitty(self) -> str:
        """The graph in dagitty's language, which writes an open mark as ``@``."""

        def named(node: Node) -> str:
            return '"' + str(node).replace('"', '\\"') + '"'

        lines = [f"  {named(node)}" for node in self.nodes]
        for a, symbol, b in self.edges:
            short = {"-->": "->", "---": "--"}.get(symbol, symbol.replace("o", "@"))
            lines.append(f"  {named(a)} {short} {named(b)}")
        return "\n".join(["pag {", *lines, "}"])

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""
        for a, symbol, b in self.edges:
            yield a, b, KIND_OF[symbol]

    def mark(self, a: Node, b: Node) -> Mark | None:
        """What stands at ``b`` on the edge between the two nodes; None where they are apart."""
        i, j = self.index(a), self.index(b)
        rows: tuple[tuple[Mark, tuple[int, ...]], ...] = (
            ("arrow", self._heads),
            ("tail", self._tails),
            ("circle", self._circles),
        )
        return next((mark for mark, row in rows if row[j] >> i & 1), None)

    def _ahead(self) -> list[int]:
        """For each node those that it possibly causes by one edge."""
        rows = [0] * len(self)
        for i in range(len(self)):
            for j in _sets.members(self._tails[i] | self._circles[i]):
                rows[i] |= (not self._tails[j] >> i & 1) << j
        return rows

    def adjacent(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node`` by any edge."""
        i = self.index(node)
        return self.named(self._heads[i] | self._tails[i] | self._circles[i])

    def parents(self, node: Node) -> tuple[Node, ...]:
        """Nodes with an edge ``-->`` into ``node``."""
        i = self.index(node)
        return tuple(n for n in self.named(self._heads[i]) if self.mark(node, n) == "tail")

    def children(self, node: Node) -> tuple[Node, ...]:
        """Nodes that an edge ``-->`` leads to from ``node``."""
        i = self.index(node)
        return tuple(n for n in self.named(self._tails[i]) if self.mark(node, n) == "arrow")

    def spouses(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node`` by an edge ``<->``."""
        i = self.index(node)
        return tuple(n for n in self.named(self._heads[i]) if self.mark(node, n) == "arrow")

    def possible_descendants(self, nodes: Any) -> tuple[Node, ...]:
        """Nodes that may be effects of one of ``nodes``, which are not themselves included."""
        start = self.bits(nodes)
        return self.named(_sets.closure(start, self._ahead()) & ~start)

    def possible_ancestors(self, nodes: Any) -> tuple[Node, ...]:
        """Nodes that may be causes of one of ``nodes``, which are not themselves included."""
        start, ahead = self.bits(nodes), self._ahead()
        return self.named(_sets.closure(start, transposed(ahead)) & ~start)

    def skeleton(self) -> UndirectedGraph:
        """All edges without their marks."""
        rows = [a | b | c for a, b, c in zip(self._heads, self._tails, self._circles, strict=True)]
        return UndirectedGraph.from_bits(self.nodes, rows)


def _listed(
    names: tuple[Node, ...],
    heads: tuple[int, ...],
    tails: tuple[int, ...],
    circles: tuple[int, ...],
) -> Iterator[MarkedEdge]:
    """Edges in the order of the nodes that they leave; circles before tails and arrowheads."""

    def symbol(i: int, j: int) -> str:
        left = "<" if heads[i] >> j & 1 else "o" if circles[i] >> j & 1 else "-"
        right = ">" if heads[j] >> i & 1 else "o" if circles[j] >> i & 1 else "-"
        return f"{left}-{right}"

    for i, name in enumerate(names):
        for j in _sets.members(heads[i] | tails[i] | circles[i]):
            between = symbol(i, j)
            if between in KIND_OF and (i < j or between != symbol(j, i)):
                yield name, between, names[j]
