"""What graphs of arrows and undirected edges share."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.graphs._types import Edge, Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import transposed
from margin.graphs.kinds._checks import checked_nodes, edges_alone, rows_of_edges, square
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._graph import Graph
from margin.graphs.kinds._undirected import UndirectedGraph


class PartlyDirected(Graph):
    """Graph with arrows and undirected edges; a pair of nodes has at most one of them."""

    edge_kinds: ClassVar[tuple[Kind, ...]] = ("directed", "undirected")

    nodes: tuple[Node, ...]
    directed: tuple[Edge, ...]
    undirected: tuple[Edge, ...]
    _index: dict[Node, int]
    _parents: tuple[int, ...]
    _children: tuple[int, ...]
    _neighbours: tuple[int, ...]

    def __init__(
        self,
        nodes: Iterable[Node] | int,
        directed: Iterable[Edge] | None = None,
        undirected: Iterable[Edge] = (),
    ) -> None:
        undirected = tuple(undirected)
        nodes, directed = edges_alone(nodes, () if undirected and directed is None else directed)
        index = checked_nodes(self, nodes)
        _, arrows = rows_of_edges(self, "directed", directed, index)
        _, joined = rows_of_edges(self, "undirected", undirected, index)
        neighbours = [a | b for a, b in zip(joined.ahead, joined.behind, strict=True)]
        self._fill(index, list(arrows.behind), neighbours)

    def _fill(self, index: dict[Node, int], parents: list[int], neighbours: list[int]) -> None:
        names, owner = tuple(index), type(self).__name__
        children = transposed(parents)
        for i, joined in enumerate(neighbours):
            both = joined & (parents[i] | children[i])
            if both:
                j = next(_sets.members(both))
                pair = f"{names[i]!r}, {names[j]!r}"
                raise ValueError(f"{owner}: edges must be directed or undirected, got both: {pair}")
        self._check_cycles(names, parents, neighbours)
        for name, value in {
            "nodes": names,
            "directed": tuple(
                (names[i], names[j]) for i, c in enumerate(children) for j in _sets.members(c)
            ),
            "undirected": tuple(
                (names[i], names[j])
                for i, e in enumerate(neighbours)
                for j in _sets.members(e)
                if i < j
            ),
            "_index": index,
            "_parents": tuple(parents),
            "_children": tuple(children),
            "_neighbours": tuple(neighbours),
        }.items():
            object.__setattr__(self, name, value)

    @abstractmethod
    def _check_cycles(
        self, names: tuple[Node, ...], parents: list[int], neighbours: list[int]
    ) -> None:
        """Refuse, by name, a cycle that this kind of graph may not have."""

    @classmethod
    def from_bits(
        cls, nodes: Iterable[Node] | int, parents: Iterable[int], neighbours: Iterable[int]
    ) -> Self:
        """Graph from one bit set of parents and one of undirected neighbours per node."""
        graph = object.__new__(cls)
        graph._fill(checked_nodes(graph, nodes), list(parents), list(neighbours))
        return graph

    @classmethod
    def from_dag(cls, dag: DAG) -> Self:
        """The same arrows and no undirected edge."""
        return cls(dag.nodes, dag.edges)

    @classmethod
    def from_adjacency(cls, matrix: ArrayLike, nodes: Iterable[Node] | None = None) -> Self:
        """Arrow where only ``matrix[i, j]`` is not zero, undirected edge where both ways are."""
        array = square(cls.__name__, matrix) != 0
        names = tuple(range(len(array)) if nodes is None else nodes)
        if len(names) != len(array):
            raise check.fail(cls.__name__, "nodes", f"as many as the {len(array)} rows", len(names))
        arrows, edges = array & ~array.T, np.triu(array & array.T, 1)
        return cls(
            names,
            [(names[i], names[j]) for i, j in np.argwhere(arrows).tolist()],
            [(names[i], names[j]) for i, j in np.argwhere(edges).tolist()],
        )

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        links = list(links)
        for a, b, kind in links:
            if kind == "bidirected":
                raise check.fail(
                    cls.__name__, "edges", "directed or undirected", f"{kind} {a!r}, {b!r}"
                )
        return cls(
            nodes,
            [(a, b) for a, b, kind in links if kind == "directed"],
            [(a, b) for a, b, kind in links if kind == "undirected"],
        )

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Arrows, then undirected edges."""
        return self.directed + self.undirected

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""
        for a, b in self.directed:
            yield a, b, "directed"
        for a, b in self.undirected:
            yield a, b, "undirected"

    def parents(self, node: Node) -> tuple[Node, ...]:
        """Nodes with an arrow into ``node``."""
        return self.named(self._parents[self.index(node)])

    def children(self, node: Node) -> tuple[Node, ...]:
        """Nodes that ``node`` has an arrow into."""
        return self.named(self._children[self.index(node)])

    def neighbours(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node`` by an undirected edge."""
        return self.named(self._neighbours[self.index(node)])

    def adjacent(self, node: Node) -> tuple[Node, ...]:
        """Nodes joined to ``node`` by any edge."""
        i = self.index(node)
        return self.named(self._parents[i] | self._children[i] | self._neighbours[i])

    def adjacency(self) -> NDArray[np.int8]:
        """Matrix with 1 at (parent, child), and both ways for an undirected edge."""
        matrix = np.zeros((len(self), len(self)), dtype=np.int8)
        for i in range(len(self)):
            matrix[i, list(_sets.members(self._children[i] | self._neighbours[i]))] = 1
        return matrix

    def skeleton(self) -> UndirectedGraph:
        """All edges without their arrowheads."""
        rows = [
            p | c | e
            for p, c, e in zip(self._parents, self._children, self._neighbours, strict=True)
        ]
        return UndirectedGraph.from_bits(self.nodes, rows)
