"""Partially directed graphs, whose undirected edges are open questions."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from margin.graphs._types import Edge, Node
from margin.graphs.bits._order import find_cycle
from margin.graphs.kinds._partly_directed import PartlyDirected


@dataclass(frozen=True, init=False, eq=False)
class PDAG(PartlyDirected):
    """Graph with arrows and undirected edges, without a directed cycle (graphs.04).

    An undirected edge says that the direction is open, as in the CPDAG of a Markov equivalence
    class.

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Names of the nodes; a number ``n`` stands for 0, …, n - 1.
    directed : iterable of (parent, child), optional
        Arrows. Without any edges, a collection of pairs as ``nodes`` is one of arrows, whose ends
        are the nodes; give ``directed=()`` for nodes that are themselves pairs.
    undirected : iterable of pairs
        Edges without a direction. A pair may have an arrow or an edge, not both.

    Examples
    --------
    >>> graph = PDAG(["a", "b", "c"], directed=[("a", "b")], undirected=[("c", "b")])
    >>> graph.parents("b"), graph.neighbours("b"), graph.undirected
    (('a',), ('c',), (('b', 'c'),))
    >>> PDAG.from_adjacency([[0, 1, 1], [1, 0, 0], [0, 0, 0]])
    PDAG(nodes=(0, 1, 2), directed=((0, 2),), undirected=((0, 1),))
    """

    nodes: tuple[Node, ...]
    directed: tuple[Edge, ...]
    undirected: tuple[Edge, ...]
    _index: dict[Node, int] = field(repr=False)
    _parents: tuple[int, ...] = field(repr=False)
    _children: tuple[int, ...] = field(repr=False)
    _neighbours: tuple[int, ...] = field(repr=False)

    def __init__(
        self,
        nodes: Iterable[Node] | int,
        directed: Iterable[Edge] | None = None,
        undirected: Iterable[Edge] = (),
    ) -> None:
        super().__init__(nodes, directed, undirected)

    def _check_cycles(
        self, names: tuple[Node, ...], parents: list[int], neighbours: list[int]
    ) -> None:
        cycle = find_cycle(parents)
        if cycle:
            text = " -> ".join(str(names[i]) for i in [*cycle, cycle[0]])
            raise ValueError(f"PDAG: directed must form no directed cycle, got {text}")
