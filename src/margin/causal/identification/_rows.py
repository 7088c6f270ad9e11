"""A causal graph as rows of bits, for the recursion over its districts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.graphs.bits._sets import closure
from margin.native.graphs.edge_rows import edge_rows


@dataclass(frozen=True)
class Rows:
    """A causal graph as bit sets, its nodes in a topological order.

    Parameters
    ----------
    bit : dict of node to int
        Nodes, causes first, each with its bit.
    parents, spouses : tuple of int
        Bit sets by the places of the nodes.

    Examples
    --------
    >>> rows = Rows.of(CausalGraph(["y", "x"], [("x", "y")], [("x", "y")]))
    >>> rows.bit, rows.parents, rows.spouses
    ({'x': 1, 'y': 2}, (0, 1), (2, 1))
    >>> rows.named(rows.ancestors(rows.bits("y"), 0b11)), list(rows.districts(0b11))
    (('x', 'y'), [3])
    """

    bit: dict[Node, int]
    parents: tuple[int, ...]
    spouses: tuple[int, ...]

    @classmethod
    def of(cls, graph: CausalGraph) -> Rows:
        """The rows of a graph."""
        place = {node: i for i, node in enumerate(graph.topological_order())}
        arrows = edge_rows(place, graph.directed)
        hidden = edge_rows(place, graph.bidirected)
        assert arrows is not None
        assert hidden is not None
        spouses = tuple([a | b for a, b in zip(hidden.ahead, hidden.behind, strict=True)])
        return cls({node: 1 << i for node, i in place.items()}, arrows.behind, spouses)

    def bits(self, nodes: Iterable[Node]) -> int:
        """Bit set of some nodes."""
        bits = 0
        for node in nodes:
            bits |= self.bit[node]
        return bits

    def named(self, bits: int) -> tuple[Node, ...]:
        """Names of a bit set, causes first."""
        return tuple([name for name, bit in self.bit.items() if bits & bit]) if bits else ()

    def do(self, treated: int) -> Rows:
        """The rows once some nodes are set: nothing causes them any more."""
        if not treated:
            return self
        kept = [not treated & bit for bit in self.bit.values()]
        return Rows(
            self.bit,
            tuple(p if keep else 0 for p, keep in zip(self.parents, kept, strict=True)),
            tuple(s & ~treated if keep else 0 for s, keep in zip(self.spouses, kept, strict=True)),
        )

    def ancestors(self, start: int, inside: int) -> int:
        """A set and all that lead to it within another."""
        return closure(start & inside, self.parents, inside)

    def district(self, part: int, inside: int) -> int:
        """What hidden causes within a set join to the first member of a part of it."""
        return closure(part & -part, self.spouses, inside)

    def districts(self, inside: int) -> list[int]:
        """Parts of a set joined by hidden causes within it."""
        left, parts = inside, []
        while left:
            parts.append(self.district(left, inside))
            left &= ~parts[-1]
        return parts
