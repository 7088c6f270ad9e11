"""What pictures need to know of a graph, and where to find one."""

from collections.abc import Iterator
from typing import Any, ClassVar, Protocol, cast

from margin.graphs._types import Kind, Node


class Drawable(Protocol):
    """Nodes with their positions in a list, and edges with their kinds."""

    edge_kinds: ClassVar[tuple[Kind, ...]]
    nodes: tuple[Node, ...]

    @property
    def squares(self) -> tuple[Node, ...]:
        """Nodes shown as squares."""

    def index(self, node: Node) -> int:
        """Position of a node."""

    def members(self, nodes: Any) -> tuple[Node, ...]:
        """One node, or a collection of nodes, as a tuple of nodes."""

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""


def has_arrows(graph: Drawable) -> bool:
    """Whether graphs of this kind may have edges with arrowheads."""
    return graph.edge_kinds != ("undirected",)


def drawable(owner: str, thing: Any) -> Drawable:
    """The graph itself, or that of a model: its ``graph``, ``graph_`` or ``to_graph()``.

    Examples
    --------
    >>> drawable("draw", 7)
    Traceback (most recent call last):
    TypeError: draw: graph must be a graph or something with a graph, got int
    """
    graph: Any
    for graph in (thing, getattr(thing, "graph", None), getattr(thing, "graph_", None)):
        if hasattr(graph, "links"):
            return cast(Drawable, graph)
    if hasattr(thing, "to_graph"):
        return cast(Drawable, thing.to_graph())
    raise TypeError(
        f"{owner}: graph must be a graph or something with a graph, got {type(thing).__name__}"
    )
