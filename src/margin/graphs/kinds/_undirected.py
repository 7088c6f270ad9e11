"""Undirected graphs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.graphs._types import Edge, Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._matrices import matrix_of_rows
from margin.graphs.kinds._checks import checked_nodes, edges_alone, ends_of, rows_of_edges, square
from margin.graphs.kinds._graph import Graph


@dataclass(frozen=True, init=False, eq=False)
class UndirectedGraph(Graph):
    """Undirected graph over named nodes (graphs.01, graphs.02).

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Names of the nodes; a number ``n`` stands for 0, …, n - 1.
    edges : iterable of pairs, optional
        Edges in either direction; stored once, the node listed earlier first. Without it, a
        collection of pairs as ``nodes`` is one of edges, whose ends are the nodes; give
        ``edges=()`` for nodes that are themselves pairs.

    Examples
    --------
    >>> graph = UndirectedGraph(["a", "b", "c"], [("b", "a"), ("b", "c"), ("c", "b")])
    >>> graph.edges, graph.neighbours("b")
    ((('a', 'b'), ('b', 'c')), ('a', 'c'))
    """

    edge_kinds: ClassVar[tuple[Kind, ...]] = ("undirected",)

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    _index: dict[Node, int] = field(repr=False)
    _neighbours: tuple[int, ...] = field(repr=False)

    def __init__(self, nodes: Iterable[Node] | int, edges: Iterable[Edge] | None = None) -> None:
        nodes, edges = edges_alone(nodes, edges)
        index = checked_nodes(self, nodes)
        _, rows = rows_of_edges(self, "edges", edges, index)
        neighbours = [a | b for a, b in zip(rows.ahead, rows.behind, strict=True)]
        self._fill(tuple(index), index, neighbours)

    def _fill(self, names: tuple[Node, ...], index: dict[Node, int], rows: Iterable[int]) -> None:
        neighbours = tuple(rows)
        pairs = tuple(
            (names[i], names[i + 1 + j])
            for i, bits in enumerate(neighbours)
            for j in _sets.members(bits >> (i + 1))
        )
        object.__setattr__(self, "nodes", names)
        object.__setattr__(self, "edges", pairs)
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_neighbours", neighbours)

    @classmethod
    def from_edges(cls, edges: Iterable[Edge]) -> "UndirectedGraph":
        """Graph whose nodes are those the edges name, in that order."""
        pairs = [tuple(edge) for edge in edges]
        return cls(ends_of(pairs), pairs)  # type: ignore[arg-type]

    @classmethod
    def from_bits(cls, nodes: Iterable[Node] | int, neighbours: Iterable[int]) -> "UndirectedGraph":
        """Graph from one symmetric bit set of neighbours per node; trusted, not checked."""
        graph = object.__new__(cls)
        index = checked_nodes(graph, nodes)
        graph._fill(tuple(index), index, neighbours)
        return graph

    @classmethod
    def from_cliques(
        cls, cliques: Iterable[Iterable[Node]], nodes: Iterable[Node] | int | None = None
    ) -> "UndirectedGraph":
        """Smallest graph in which each given set of nodes is a clique.

        Examples
        --------
        >>> UndirectedGraph.from_cliques(["ABC", "BCD"]).edges
        (('A', 'B'), ('A', 'C'), ('B', 'C'), ('B', 'D'), ('C', 'D'))
        """
        sets = [tuple(clique) for clique in cliques]
        named = ends_of(sets) if nodes is None else nodes
        graph = cls(named, ())
        neighbours = [0] * len(graph)
        for clique in sets:
            bits = graph.bits(list(clique))
            for i in _sets.members(bits):
                neighbours[i] |= bits & ~(1 << i)
        return cls.from_bits(graph.nodes, neighbours)

    @classmethod
    def from_adjacency(
        cls, matrix: ArrayLike, nodes: Iterable[Node] | None = None
    ) -> "UndirectedGraph":
        """Graph with an edge wherever a symmetric matrix is not zero (the diagonal is ignored)."""
        array = square(cls.__name__, matrix) != 0
        if not np.array_equal(array, array.T):
            raise ValueError(f"{cls.__name__}: matrix must be symmetric")
        names = tuple(range(len(array)) if nodes is None else nodes)
        if len(names) != len(array):
            raise check.fail(cls.__name__, "nodes", f"as many as the {len(array)} rows", len(names))
        np.fill_diagonal(array, False)
        packed = np.packbits(array, axis=1, bitorder="little")
        return cls.from_bits(names, [int.from_bytes(row.tobytes(), "little") for row in packed])

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        links = list(links)
        for a, b, kind in links:
            if kind != "undirected":
                raise check.fail(cls.__name__, "edges", "undirected", f"{kind} edge {a!r}, {b!r}")
        return cls(nodes, [(a, b) for a, b, _ in links])

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""
        for a, b in self.edges:
            yield a, b, "undirected"

    def neighbours(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node``, in the order of ``nodes``."""
        return self.named(self._neighbours[self.index(node)])

    def degree(self, node: Node) -> int:
        """Number of neighbours."""
        return self._neighbours[self.index(node)].bit_count()

    def has_edge(self, a: Node, b: Node) -> bool:
        """Whether the two nodes are joined."""
        return bool(self._neighbours[self.index(a)] >> self.index(b) & 1)

    def adjacency(self) -> NDArray[np.int8]:
        """Symmetric matrix with 1 for every edge, rows in the order of ``nodes``."""
        return matrix_of_rows(self._neighbours, len(self)).view(np.int8)

    def subgraph(self, nodes: Any) -> "UndirectedGraph":
        """Only these nodes and the edges between them."""
        kept = self.bits(nodes)
        names = set(self.named(kept))
        return UndirectedGraph(
            self.named(kept), [(a, b) for a, b in self.edges if a in names and b in names]
        )

    def complement(self) -> "UndirectedGraph":
        """The same nodes, joined exactly where they are not joined here."""
        every = (1 << len(self)) - 1
        rows = [every & ~bits & ~(1 << i) for i, bits in enumerate(self._neighbours)]
        return UndirectedGraph.from_bits(self.nodes, rows)
