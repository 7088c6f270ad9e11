"""What all graphs share: named nodes, comparison by content, pictures and converters."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Self

from margin.core import check
from margin.graphs._types import ONE_WAY, Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.kinds._checks import listed
from margin.graphs.pictures._dot import dot
from margin.graphs.pictures._draw import draw
from margin.graphs.pictures._networkx import links_of, to_networkx
from margin.graphs.pictures._read_dot import links_of_dot


class Graph(ABC):
    """Finite graph over named nodes: a value, compared by content and never changed.

    Nodes keep the order in which they were given; arrays and answers follow it. Two graphs are
    equal when they have the same type, nodes and edges, in whatever order.

    Attributes
    ----------
    nodes : tuple
        Names of the nodes.
    edge_kinds : tuple of str
        Kinds of edges that graphs of this class may have: "directed", "undirected", "bidirected",
        and with open marks "circle-arrow" (``a o-> b``), "circle-circle", "circle-tail".
    """

    edge_kinds: ClassVar[tuple[Kind, ...]]
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
            (a, b, kind) if kind in ONE_WAY else (frozenset((a, b)), kind)
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
            raise check.fail(self, "node", f"one of {listed(self.nodes)}", node) from None

    def bits(self, nodes: Any) -> int:
        """Bit set of one node or of a collection of nodes."""
        return _sets.mask([self._index[node] for node in self.members(nodes)])

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
            raise check.fail(self, "node", f"one of {listed(self.nodes)}", nodes)
        several = tuple(nodes)
        for node in several:
            self.index(node)
        return several

    def named(self, bits: int) -> tuple[Node, ...]:
        """Names of a bit set, in the order of ``nodes``."""
        return tuple([self.nodes[i] for i in _sets.members(bits)]) if bits else ()

    @property
    def squares(self) -> tuple[Node, ...]:
        """Nodes that pictures show as squares: the factors of a factor graph."""
        return ()

    def to_networkx(self) -> Any:
        """The graph as a networkx graph; see :meth:`from_networkx` for how kinds are spelt."""
        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """Build from a networkx graph.

        Edges may carry the attribute ``kind`` ("directed", "undirected", "bidirected", …). Without
        it the edges of a directed networkx graph are arrows, and for classes that know undirected
        edges two opposite arrows make one.
        """
        return cls._from_links(*links_of(graph, cls.__name__, cls.edge_kinds))

    def to_dot(self, name: str = "G") -> str:
        """The graph in Graphviz's language."""
        return dot(self, name)

    @classmethod
    def from_dot(cls, text: str) -> Self:
        """Read what :meth:`to_dot` writes, or any graph in Graphviz's language.

        Edges are what they look like: ``dir=both`` makes ``->`` bidirected, ``dir=none``
        undirected, ``odot`` at an end leaves it open. Nodes are called by their labels where these
        differ, and are strings.
        """
        return cls._from_links(*links_of_dot(text, cls.__name__))

    def draw(self, ax: Any = None, **style: Any) -> Any:
        """Draw with matplotlib and return the axes; keywords as in :func:`margin.graphs.draw`."""
        return draw(self, ax, **style)
