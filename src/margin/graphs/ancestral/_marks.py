"""Marks at the ends of edges while they are being found out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import transposed
from margin.graphs.kinds._mixed import MixedGraph
from margin.graphs.kinds._pag import PAG


@dataclass
class Marks:
    """Bit sets: ``heads[j]`` are the nodes whose edge to j has an arrowhead at j, and so on.

    Parameters
    ----------
    heads, tails, circles : list of int
        Changed in place by the rules of orientation.

    Examples
    --------
    >>> marks = Marks.open([0b10, 0b01])
    >>> marks.set_heads(0, 0b10)
    >>> str(marks.graph(["a", "b"]))
    'b o-> a'
    """

    heads: list[int]
    tails: list[int]
    circles: list[int]

    @classmethod
    def open(cls, joined: Iterable[int]) -> Marks:
        """Every end of every edge is open."""
        circles = list(joined)
        return cls([0] * len(circles), [0] * len(circles), circles)

    @classmethod
    def of(cls, graph: PAG | MixedGraph) -> Marks:
        """The marks of a graph with at most one edge per pair."""
        if isinstance(graph, PAG):
            return cls(list(graph._heads), list(graph._tails), list(graph._circles))
        heads = [p | s for p, s in zip(graph._parents, graph._spouses, strict=True)]
        tails = [c | u for c, u in zip(graph._children, graph._neighbours, strict=True)]
        return cls(heads, tails, [0] * len(heads))

    def graph(self, names: Iterable[Node]) -> PAG:
        """The marks as a value."""
        return PAG.from_bits(names, self.heads, self.tails, self.circles)

    def joined(self) -> list[int]:
        """Neighbours of each node."""
        return [h | t | c for h, t, c in zip(self.heads, self.tails, self.circles, strict=True)]

    def set_heads(self, at: int, nodes: int) -> None:
        """Arrowheads at ``at`` on the edges to these nodes, whatever stood there."""
        self.heads[at] |= nodes
        self.tails[at] &= ~nodes
        self.circles[at] &= ~nodes

    def set_tails(self, at: int, nodes: int) -> None:
        """Tails at ``at`` on the edges to these nodes, whatever stood there."""
        self.tails[at] |= nodes
        self.heads[at] &= ~nodes
        self.circles[at] &= ~nodes

    def remove(self, i: int, j: int) -> None:
        """Take out an edge."""
        for at, other in ((i, 1 << j), (j, 1 << i)):
            self.heads[at] &= ~other
            self.tails[at] &= ~other
            self.circles[at] &= ~other

    def settle(self, heads: list[int], tails: list[int]) -> bool:
        """Fill open ends as asked, but for those asked to be both; whether anything changed."""
        changed = False
        for at, (head, tail) in enumerate(zip(heads, tails, strict=True)):
            either = head ^ tail
            if either & self.circles[at]:
                changed = True
                self.set_heads(at, either & head & self.circles[at])
                self.set_tails(at, either & tail & self.circles[at])
        return changed

    def parents(self) -> list[int]:
        """For each node those with an edge ``-->`` into it."""
        behind = transposed(self.tails)
        return [h & t for h, t in zip(self.heads, behind, strict=True)]

    def ahead(self) -> list[int]:
        """For each node those that one possibly directed edge leads to."""
        tailed = transposed(self.tails)
        return [
            (t | c) & ~ends for t, c, ends in zip(self.tails, self.circles, tailed, strict=True)
        ]

    def unshielded(self) -> Iterator[tuple[int, int, int]]:
        """Triples (i, k, j) with i < j: both joined to k, and not to each other."""
        joined = self.joined()
        for k, near in enumerate(joined):
            for i in _sets.members(near):
                for j in _sets.members((near & ~joined[i]) >> (i + 1)):
                    yield i, k, i + 1 + j
