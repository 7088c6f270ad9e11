"""Chain graphs: blocks of undirected edges, ordered by arrows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from margin.graphs._types import Edge, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._order import find_cycle, topological_order
from margin.graphs.bits._separation import cut_off
from margin.graphs.kinds._checks import disjoint_sets
from margin.graphs.kinds._partly_directed import PartlyDirected
from margin.graphs.kinds._undirected import UndirectedGraph


@dataclass(frozen=True, init=False, eq=False)
class ChainGraph(PartlyDirected):
    r"""Arrows between blocks, undirected edges within them, no way back (graphs.04).

    .. math:: p(x) = \prod_\tau p(x_\tau \mid x_{\mathrm{pa}(\tau)}), \quad
        p(x_\tau \mid x_{\mathrm{pa}(\tau)}) = \frac{1}{Z(x_{\mathrm{pa}(\tau)})}
        \prod_{C} \phi_C(x_C)

    over the chain components :math:`\tau`, each normalised given its own parents. With components
    of one node it is a Bayesian network, with one component a Markov network.

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Names of the nodes; a number ``n`` stands for 0, …, n - 1.
    directed : iterable of (parent, child), optional
        Arrows, between different chain components. Without any edges, a collection of pairs as
        ``nodes`` is one of arrows, whose ends are the nodes; give ``directed=()`` for nodes that
        are themselves pairs.
    undirected : iterable of pairs
        Edges within chain components. No cycle may contain an arrow that is walked forwards
        without another being walked backwards.

    Examples
    --------
    >>> graph = ChainGraph(["a", "b", "c", "d"], [("a", "c"), ("b", "d")], [("c", "d")])
    >>> graph.components()
    (('a',), ('b',), ('c', 'd'))
    >>> ChainGraph(3, directed=[(0, 1)], undirected=[(1, 2), (2, 0)])
    Traceback (most recent call last):
    ValueError: ChainGraph: directed must join different chain components, got 0 -> 1
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
        blocks = _sets.components(neighbours)
        above = _block_parents(blocks, parents)
        for block, bits in enumerate(above):
            if bits >> block & 1:
                child = next(i for i in _sets.members(blocks[block]) if parents[i] & blocks[block])
                parent = next(_sets.members(parents[child] & blocks[block]))
                raise ValueError(
                    "ChainGraph: directed must join different chain components, "
                    f"got {names[parent]} -> {names[child]}"
                )
        cycle = find_cycle(above)
        if cycle:
            text = " -> ".join(
                "{" + ", ".join(str(names[i]) for i in _sets.members(blocks[b])) + "}"
                for b in [*cycle, cycle[0]]
            )
            raise ValueError(f"ChainGraph: directed must form no cycle of components, got {text}")

    def components(self) -> tuple[tuple[Node, ...], ...]:
        """Chain components: parts joined by undirected edges, parents before children."""
        blocks = _sets.components(self._neighbours)
        order = topological_order(_block_parents(blocks, self._parents))
        return tuple(self.named(blocks[i]) for i in order)

    def moral_graph(self) -> UndirectedGraph:
        """Marry all parents of every chain component, then drop the arrows."""
        return UndirectedGraph.from_bits(self.nodes, self._moral_bits((1 << len(self)) - 1))

    def _moral_bits(self, kept: int) -> list[int]:
        rows = [0] * len(self)
        for i in _sets.members(kept):
            rows[i] = (self._neighbours[i] | self._parents[i] | self._children[i]) & kept
        for block in _sets.components(self._neighbours):
            married = 0
            for i in _sets.members(block & kept):
                married |= self._parents[i]
            for i in _sets.members(married):
                rows[i] |= married & ~(1 << i)
        return rows

    def separated(self, X: Any, Y: Any, given: Any = ()) -> bool:
        """Whether the graph implies that ``X`` and ``Y`` are independent given ``given``.

        Separation in the moral graph of the smallest ancestral set (closed under parents and
        neighbours) that holds the three sets: Lauritzen, Wermuth and Frydenberg's reading.

        Examples
        --------
        >>> graph = ChainGraph(["a", "b", "c", "d"], [("a", "c"), ("b", "d")], [("c", "d")])
        >>> graph.separated("a", "b"), graph.separated("a", "d", given=["b", "c"])
        (True, True)
        >>> graph.separated("a", "b", given="c")
        False
        """
        x, y, z = disjoint_sets("ChainGraph.separated", self, X, Y, given)
        upwards = [p | e for p, e in zip(self._parents, self._neighbours, strict=True)]
        kept = _sets.closure(x | y | z, upwards)
        return not cut_off(self._moral_bits(kept), x, z) & y


def _block_parents(blocks: list[int], parents: tuple[int, ...] | list[int]) -> list[int]:
    home = {i: at for at, block in enumerate(blocks) for i in _sets.members(block)}
    return [
        _sets.mask({home[p] for i in _sets.members(block) for p in _sets.members(parents[i])})
        for block in blocks
    ]
