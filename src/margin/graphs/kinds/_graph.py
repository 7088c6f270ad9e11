"""What all graphs share: named nodes, comparison by content, pictures and converters."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Literal, Self

from margin.core import check
from margin.graphs.kinds import _bits

Node = Hashable
Edge = tuple[Node, Node]
Kind = Literal["directed", "undirected", "bidirected"]


class Graph(ABC):
    """Finite graph over named nodes: a value, compared by content and never changed.

    Nodes keep the order in which they were given; arrays and answers follow it. Two graphs are
    equal when they have the same type, nodes and edges, in whatever order.
    """

    nodes: tuple[Node, ...]
    _index: dict[Node, int]

    @abstractmethod
    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""

    @classmethod
    @abstractmethod
    def _from_links(
        cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]
    ) -> Self: ...

    def __contains__(self, node: object) -> bool:
        return node in self._index

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Graph)
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self), self._content()))

    def _content(self) -> tuple[frozenset[Node], frozenset[Any]]:
        edges = {
            (a, b, kind) if kind == "directed" else (frozenset((a, b)), kind)
            for a, b, kind in self.links()
        }
        return frozenset(self.nodes), frozenset(edges)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        type(self).__init__(self, **state)

    def index(self, node: Node) -> int:
        """Position of a node in ``nodes``; an unknown node is refused by name."""
        try:
            return self._index[node]
        except (KeyError, TypeError):
            raise check.fail(self, "node", f"one of {_listed(self.nodes)}", node) from None

    def bits(self, nodes: Any) -> int:
        """Bit set of one node or of a collection of nodes."""
        return _bits.mask(self.index(node) for node in self.members(nodes))

    def members(self, nodes: Any) -> tuple[Node, ...]:
        """One node, or a collection of nodes, as a tuple of nodes.

        What is itself a node counts as one, even when it is a tuple; a string is never split.
        """
        try:
            if nodes in self._index:
                return (nodes,)
        except TypeError:
            pass
        if isinstance(nodes, str | bytes) or not isinstance(nodes, Iterable):
            raise check.fail(self, "node", f"one of {_listed(self.nodes)}", nodes)
        found = tuple(nodes)
        for node in found:
            self.index(node)
        return found

    def named(self, bits: int) -> tuple[Node, ...]:
        """Names of a bit set, in the order of ``nodes``."""
        return tuple(self.nodes[i] for i in _bits.members(bits))

    def to_networkx(self) -> Any:
        """The graph as a networkx graph; see :meth:`from_networkx` for how kinds are spelt."""
        from margin.graphs.pictures._networkx import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """Build from a networkx graph.

        Edges may carry the attribute ``kind`` ("directed", "undirected", "bidirected"). Without it
        the edges of a directed networkx graph are arrows, and for classes that know undirected
        edges two opposite arrows make one.
        """
        from margin.graphs.pictures._networkx import links_of

        return cls._from_links(*links_of(graph, cls.__name__))

    def to_dot(self, name: str = "G") -> str:
        """The graph in Graphviz's language."""
        from margin.graphs.pictures._dot import dot

        return dot(self, name)

    def draw(self, ax: Any = None, **style: Any) -> Any:
        """Draw with matplotlib and return the axes; keywords as in :func:`margin.graphs.draw`."""
        from margin.graphs.pictures._draw import draw

        return draw(self, ax, **style)


def _listed(nodes: tuple[Node, ...], most: int = 8) -> str:
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
    index: dict[Node, int] = {}
    for node in nodes:
        try:
            known = node in index
        except TypeError:
            raise check.fail(owner, "nodes", "hashable", node) from None
        if known or node is None or node != node:
            raise check.fail(owner, "nodes", "distinct and not None or NaN", node)
        index[node] = len(index)
    return index


def checked_edges(
    owner: object, parameter: str, edges: Iterable[Edge], index: dict[Node, int]
) -> tuple[Edge, ...]:
    """Pairs of different nodes, repeats dropped, order kept."""
    found: dict[Edge, None] = {}
    for edge in edges:
        if isinstance(edge, str | bytes) or not isinstance(edge, Iterable):
            raise check.fail(owner, parameter, "pairs of nodes", edge)
        pair = tuple(edge)
        if len(pair) != 2:
            raise check.fail(owner, parameter, "pairs of nodes", edge)
        for node in pair:
            if not isinstance(node, Hashable) or node not in index:
                raise check.fail(owner, parameter, f"between {_listed(tuple(index))}", edge)
        if pair[0] == pair[1]:
            raise check.fail(owner, parameter, "between two different nodes", edge)
        found[pair] = None
    return tuple(found)


def ends_of(edges: Iterable[Edge]) -> tuple[Node, ...]:
    """Nodes in the order in which edges first name them."""
    return tuple(dict.fromkeys(node for edge in edges for node in edge))
