"""Graphs as distances compare them: a class, one of its members, and what is open between."""

from __future__ import annotations

from dataclasses import dataclass

from margin.causal.graph._causal_graph import CausalGraph
from margin.core import check
from margin.graphs import DAG, PDAG, Graph, extend_pdag

Bits = tuple[int, ...]


@dataclass(frozen=True)
class Compared:
    """Arrows of a graph in bits, in the order of given nodes.

    Parameters
    ----------
    parents, children, near : tuple of int
        Arrows that are certain, and undirected edges.
    member_parents, member_children : tuple of int
        A directed acyclic graph of the class.
    """

    parents: Bits
    children: Bits
    near: Bits
    member_parents: Bits
    member_children: Bits

    @classmethod
    def of(cls, owner: str, parameter: str, graph: Graph, nodes: tuple[object, ...]) -> Compared:
        """The graph, refused unless it is a DAG or the essential graph of a class.

        Examples
        --------
        >>> Compared.of("sid", "truth", DAG(["a", "b"], [("a", "b")]), ("b", "a")).parents
        (2, 0)
        """
        if set(graph.nodes) != set(nodes):
            requirement = "a graph over the nodes of the truth"
            shown = sorted(map(str, set(graph.nodes) ^ set(nodes)))
            raise check.fail(owner, parameter, requirement, shown)
        if isinstance(graph, CausalGraph) and graph.bidirected:
            raise check.fail(owner, parameter, "without hidden common causes", graph.bidirected[0])
        if not isinstance(graph, DAG | PDAG | CausalGraph):
            requirement = "a DAG, or a PDAG such as a CPDAG"
            raise check.fail(owner, parameter, requirement, type(graph).__name__)
        place = {node: at for at, node in enumerate(nodes)}
        p = len(place)
        parents, children, near = [0] * p, [0] * p, [0] * p
        for a, b, kind in graph.links():
            i, j = place[a], place[b]
            if kind == "directed":
                parents[j] |= 1 << i
                children[i] |= 1 << j
            else:
                near[i] |= 1 << j
                near[j] |= 1 << i
        if not any(near):
            arrows = tuple(parents), tuple(children)
            return cls(*arrows, tuple(near), *arrows)
        whole = PDAG.from_bits(range(p), parents, near)
        member = extend_pdag(whole)
        # An arrow into one end of an undirected edge points at the other end as well.
        closed = all(
            not parents[i] & ~parents[j] for i in range(p) for j in range(p) if near[i] >> j & 1
        )
        if member is None or not closed:
            requirement = (
                "the essential graph of a class (directed with knowledge it is none: compare a "
                "member, by margin.graphs.extend_pdag)"
            )
            raise check.fail(owner, parameter, requirement, graph)
        return cls(tuple(parents), tuple(children), tuple(near), member._parents, member._children)

    @property
    def forward(self) -> Bits:
        """For each node, where a path goes on that may be directed."""
        return tuple(c | e for c, e in zip(self.children, self.near, strict=True))

    def possible_effects(self, node: int) -> int:
        """Descendants in some member."""
        return walk(1 << node, self.forward, 0) & ~(1 << node)

    def not_identified(self, node: int) -> int:
        """Nodes on which the effect differs among the members, for an open first edge."""
        return walk(self.near[node], self.forward, 1 << node)


def walk(start: int, steps: Bits, wall: int) -> int:
    """Everything reached from ``start``, included, without entering ``wall``.

    Examples
    --------
    >>> walk(0b001, (0b010, 0b100, 0), 0b100)
    3
    """
    reached = fresh = start & ~wall
    while fresh:
        low = fresh & -fresh
        fresh ^= low
        ahead = steps[low.bit_length() - 1] & ~reached & ~wall
        reached |= ahead
        fresh |= ahead
    return reached
