"""A causal graph over the variables that are seen."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from margin.causal.graph._dagitty import dagitty_text, parse_dagitty
from margin.causal.graph._projection import latent_projection
from margin.causal.graph._types import Edge, Kind, Node
from margin.core import check
from margin.graphs import DAG, Graph, MixedGraph


@dataclass(frozen=True, init=False, eq=False)
class CausalGraph(Graph):
    """Arrows from causes to effects, and bidirected edges for hidden common causes (causal.09).

    Parameters
    ----------
    nodes : iterable of hashable, or int
        Variables that are seen; a number ``n`` stands for 0, …, n - 1.
    directed : iterable of (cause, effect)
        Arrows, without a cycle.
    bidirected : iterable of pairs
        Pairs with a hidden common cause.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("x", "m"), ("m", "y")], bidirected=[("x", "y")])
    >>> graph.districts(), graph.separated("x", "y", given="m")
    ((('x', 'y'), ('m',)), False)
    >>> graph.do("x").bidirected
    ()
    """

    edge_kinds: ClassVar[tuple[Kind, ...]] = ("directed", "bidirected")

    nodes: tuple[Node, ...]
    directed: tuple[Edge, ...]
    bidirected: tuple[Edge, ...]
    _index: dict[Node, int] = field(repr=False)
    _mixed: MixedGraph = field(repr=False)

    def __init__(
        self,
        nodes: Iterable[Node] | int,
        directed: Iterable[Edge] = (),
        bidirected: Iterable[Edge] = (),
    ) -> None:
        try:
            mixed = MixedGraph(nodes, directed, bidirected)
        except ValueError as error:
            raise ValueError(str(error).replace("MixedGraph", "CausalGraph", 1)) from None
        vars(self).update(
            nodes=mixed.nodes,
            directed=mixed.directed,
            bidirected=mixed.bidirected,
            _index=mixed._index,
            _mixed=mixed,
        )

    @classmethod
    def from_edges(
        cls,
        directed: Iterable[Edge],
        bidirected: Iterable[Edge] = (),
        *,
        latent: Iterable[Node] = (),
    ) -> "CausalGraph":
        """Graph whose nodes are those the edges name, hidden ones folded into edges.

        Parameters
        ----------
        directed : iterable of (cause, effect)
            Arrows, also from and to hidden nodes.
        bidirected : iterable of pairs
            Further pairs with a hidden common cause.
        latent : iterable of nodes
            Nodes that are not seen.

        Examples
        --------
        >>> CausalGraph.from_edges([("u", "x"), ("u", "y"), ("x", "y")], latent=["u"]).bidirected
        (('x', 'y'),)
        """
        arrows, pairs, hidden = list(directed), list(bidirected), list(latent)
        names = tuple(dict.fromkeys(node for edge in arrows + pairs for node in edge))
        if not hidden:
            return cls(names, arrows, pairs)
        unseen = [("hidden", a, b) for a, b in pairs]
        below = [(cause, end) for cause in unseen for end in cause[1:]]
        try:
            full = DAG([*names, *unseen], [*arrows, *below])
        except ValueError as error:
            raise ValueError(str(error).replace("DAG", "CausalGraph", 1)) from None
        seen = latent_projection(full, [*hidden, *unseen])
        return cls(seen.nodes, seen.directed, seen.bidirected)

    @classmethod
    def from_dagitty(cls, text: str) -> "CausalGraph":
        """Read dagitty's text; nodes marked ``[latent]`` are folded into edges.

        Examples
        --------
        >>> CausalGraph.from_dagitty("dag { u [latent] u -> {x y} x -> y }").bidirected
        (('x', 'y'),)
        """
        read = parse_dagitty(text)
        graph = cls.from_edges(read.directed, read.bidirected, latent=read.latent)
        alone = [n for n in read.nodes if n not in graph and n not in read.latent]
        return cls([*graph.nodes, *alone], graph.directed, graph.bidirected)

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        kinds: dict[str, list[Edge]] = {"directed": [], "bidirected": []}
        for a, b, kind in links:
            if kind not in kinds:
                raise check.fail(cls.__name__, "edges", "directed or bidirected", (a, b))
            kinds[kind].append((a, b))
        return cls(nodes, **kinds)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Arrows, then bidirected edges."""
        return self.directed + self.bidirected

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, with its kind."""
        yield from self._mixed.links()

    def to_dagitty(self) -> str:
        """The graph in dagitty's text."""
        return dagitty_text(self.nodes, self.directed, self.bidirected)

    def parents(self, node: Node) -> tuple[Node, ...]:
        """Direct causes."""
        return self._mixed.parents(node)

    def children(self, node: Node) -> tuple[Node, ...]:
        """Direct effects."""
        return self._mixed.children(node)

    def spouses(self, node: Node) -> tuple[Node, ...]:
        """Nodes with which a hidden cause is shared."""
        return self._mixed.spouses(node)

    def ancestors(self, nodes: Any) -> tuple[Node, ...]:
        """Causes, direct or not."""
        return self._mixed.ancestors(nodes)

    def descendants(self, nodes: Any) -> tuple[Node, ...]:
        """Effects, direct or not."""
        return self._mixed.descendants(nodes)

    def leads(self, X: Any, Y: Any) -> bool:
        """Whether a node of ``X`` causes one of ``Y`` outside ``X``, directly or not."""
        return self._mixed.leads(X, Y)

    def topological_order(self) -> tuple[Node, ...]:
        """Every cause before its effects, one generation after the other."""
        return self._mixed.topological_order()

    def districts(self) -> tuple[tuple[Node, ...], ...]:
        """Parts joined by bidirected edges."""
        return self._mixed.districts()

    def separated(self, X: Any, Y: Any, given: Any = ()) -> bool:
        """Whether ``given`` blocks every path between ``X`` and ``Y`` (m-separation)."""
        return self._mixed.m_separated(X, Y, given)

    def reached(self, X: Any, given: Any = ()) -> tuple[Node, ...]:
        """Nodes that ``given`` does not separate from ``X``, those of ``X`` included."""
        return self._mixed.m_connected(X, given)

    def do(self, nodes: Any) -> "CausalGraph":
        """The mutilated graph: what was set is caused by nothing else (causal.05)."""
        set_nodes = set(self.members(nodes))
        arrows = [(a, b) for a, b in self.directed if b not in set_nodes]
        pairs = [(a, b) for a, b in self.bidirected if not {a, b} & set_nodes]
        return CausalGraph(self.nodes, arrows, pairs)

    def without_outgoing(self, nodes: Any) -> "CausalGraph":
        """The same less the arrows out of these nodes."""
        cut = set(self.members(nodes))
        arrows = [(a, b) for a, b in self.directed if a not in cut]
        return CausalGraph(self.nodes, arrows, self.bidirected)

    def subgraph(self, nodes: Any) -> "CausalGraph":
        """Only these nodes and the edges between them."""
        kept = set(self.members(nodes))
        arrows = [(a, b) for a, b in self.directed if a in kept and b in kept]
        pairs = [(a, b) for a, b in self.bidirected if a in kept and b in kept]
        return CausalGraph([n for n in self.nodes if n in kept], arrows, pairs)

    def with_hidden(self) -> DAG:
        """DAG in which every bidirected edge is a hidden common cause ``("hidden", a, b)``."""
        return self._mixed.with_hidden()
