"""Factor graphs: variables, factors, and which factor touches which variable."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from margin.core import check
from margin.graphs._types import Edge, Kind, Node
from margin.graphs.bits import _sets
from margin.graphs.bits._cliques import maximal_cliques_of_rows
from margin.graphs.kinds._checks import checked_nodes, ends_of
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._graph import Graph
from margin.graphs.kinds._undirected import UndirectedGraph


@dataclass(frozen=True, init=False, eq=False)
class FactorGraph(Graph):
    r"""Bipartite graph of a product :math:`p(x) \propto \prod_k \psi_k(x_{s_k})` (graphs.01).

    Parameters
    ----------
    variables : iterable of hashable, or int
        Names of the variables; a number ``n`` stands for 0, …, n - 1.
    factors : mapping of name to variables, or iterable of collections of variables, optional
        Scope of each factor. Without names they are called ("factor", 0), ("factor", 1), …
        Without it, a mapping or a collection of tuples as ``variables`` is one of factors, whose
        scopes name the variables; give ``factors=()`` for variables that are themselves tuples.

    Examples
    --------
    >>> graph = FactorGraph(["a", "b"], {"prior": ["a"], "likelihood": ["a", "b"]})
    >>> graph.scope("likelihood"), graph.factors_of("a")
    (('a', 'b'), ('prior', 'likelihood'))
    """

    edge_kinds: ClassVar[tuple[Kind, ...]] = ("undirected",)

    variables: tuple[Node, ...]
    factors: dict[Node, tuple[Node, ...]]
    nodes: tuple[Node, ...] = field(repr=False)
    _index: dict[Node, int] = field(repr=False)

    def __init__(
        self,
        variables: Iterable[Node] | int,
        factors: Mapping[Node, Iterable[Node]] | Iterable[Iterable[Node]] | None = None,
    ) -> None:
        variables, scopes = _scopes(variables, factors)
        known = checked_nodes(self, variables)
        for name, scope in scopes.items():
            if len(set(scope)) < len(scope) or any(v not in known for v in scope):
                raise check.fail(self, f"scope of {name!r}", "distinct variables", scope)
        names = (*known, *scopes)
        object.__setattr__(self, "variables", tuple(known))
        object.__setattr__(self, "factors", scopes)
        object.__setattr__(self, "nodes", names)
        object.__setattr__(self, "_index", checked_nodes(self, names))

    def __getstate__(self) -> dict[str, object]:
        return {"variables": self.variables, "factors": self.factors}

    @classmethod
    def from_dag(cls, dag: DAG) -> "FactorGraph":
        """One factor per node, over the node and its parents.

        Examples
        --------
        >>> FactorGraph.from_dag(DAG.from_edges([("a", "b")])).factors
        {('p', 'a'): ('a',), ('p', 'b'): ('b', 'a')}
        """
        return cls(dag.nodes, {("p", node): dag.family(node) for node in dag.nodes})

    @classmethod
    def from_undirected(cls, graph: UndirectedGraph) -> "FactorGraph":
        """One factor per maximal clique."""
        cliques = maximal_cliques_of_rows(graph._neighbours)
        return cls(graph.nodes, [graph.named(clique) for clique in cliques])

    @classmethod
    def _from_links(cls, nodes: Iterable[Node], links: Iterable[tuple[Node, Node, Kind]]) -> Self:
        links = list(links)
        factors: dict[Node, list[Node]] = {b: [] for _, b, _ in links}
        for a, b, _ in links:
            factors[b].append(a)
        return cls([node for node in nodes if node not in factors], factors)

    @property
    def squares(self) -> tuple[Node, ...]:
        """The factors, which pictures show as squares."""
        return tuple(self.factors)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Pairs (variable, factor)."""
        return tuple((v, name) for name, scope in self.factors.items() for v in scope)

    def links(self) -> Iterator[tuple[Node, Node, Kind]]:
        """Every edge once, from the variable to the factor, undirected."""
        for variable, factor in self.edges:
            yield variable, factor, "undirected"

    def scope(self, factor: Node) -> tuple[Node, ...]:
        """Variables of a factor, in their order."""
        if factor not in self.factors:
            raise check.fail(self, "factor", "one of the factors", factor)
        return self.factors[factor]

    def factors_of(self, variable: Node) -> tuple[Node, ...]:
        """Factors that touch a variable."""
        if variable not in self.variables:
            raise check.fail(self, "variable", "one of the variables", variable)
        return tuple(name for name, scope in self.factors.items() if variable in scope)

    def to_undirected(self) -> UndirectedGraph:
        """Markov network: variables joined where they share a factor."""
        return UndirectedGraph.from_cliques(self.factors.values(), self.variables)

    def is_forest(self) -> bool:
        """Whether it has no cycle, so that belief propagation is exact."""
        graph = UndirectedGraph(self.nodes, self.edges)
        return len(graph.edges) == len(graph) - len(_sets.components(graph._neighbours))


def _scopes(variables: Any, factors: Any) -> tuple[Any, dict[Node, tuple[Node, ...]]]:
    """Variables of a call and the scope of every factor; factors alone name their variables."""
    if factors is None and isinstance(variables, Mapping):
        factors = variables
    elif factors is None and not isinstance(variables, int | str | bytes):
        variables = tuple(variables)
        if variables and all(isinstance(scope, tuple | list) for scope in variables):
            factors = variables
    alone = factors is not None and factors is variables
    if isinstance(factors, Mapping):
        scopes = {name: tuple(scope) for name, scope in factors.items()}
    else:
        scopes = {("factor", i): tuple(scope) for i, scope in enumerate(factors or ())}
    return ends_of(scopes.values()) if alone else variables, scopes
