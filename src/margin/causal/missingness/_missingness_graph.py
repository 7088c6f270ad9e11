"""Causal graphs that say why values are missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from margin.causal.graph._as_graph import causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.core import check

Names = tuple[Node, ...]


@dataclass(frozen=True, init=False, eq=False)
class MissingnessGraph:
    """A causal graph with a node for every variable that is not always seen (an m-graph).

    An indicator is one where its variable is seen and zero where it is missing. Its causes are the
    reasons: none of the variables (missing completely at random), variables that are always seen
    (at random), or others (not at random). Indicators may cause each other, but no variable.

    Parameters
    ----------
    graph : CausalGraph, DAG or directed networkx graph
        Over variables and indicators.
    indicators : mapping of variable to indicator

    Attributes
    ----------
    variables : tuple
        All nodes that are no indicators.
    always_seen : tuple
        Variables without an indicator.

    References
    ----------
    K. Mohan, J. Pearl and J. Tian, "Graphical models for inference with missing data", NeurIPS
    2013.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("age", "income"), ("age", "R")])
    >>> study = MissingnessGraph(graph, {"income": "R"})
    >>> study.mechanism, study.always_seen
    ('MAR', ('age',))
    """

    graph: CausalGraph
    indicators: Mapping[Node, Node]
    variables: Names
    always_seen: Names

    def __init__(self, graph: Any, indicators: Mapping[Node, Node]) -> None:
        owner = type(self).__name__
        graph = causal_graph(owner, graph)
        if not isinstance(indicators, Mapping) or len(set(indicators.values())) < len(indicators):
            need = "a mapping from variables to indicators, each of one variable"
            raise check.fail(owner, "indicators", need, indicators)
        graph.members([*indicators, *indicators.values()])
        signs = set(indicators.values())
        if signs & set(indicators):
            need = "of variables that are no indicators themselves"
            raise check.fail(owner, "indicators", need, sorted(map(str, signs & set(indicators))))
        for cause, effect in graph.directed:
            if cause in signs and effect not in signs:
                need = "without arrows from an indicator to a variable"
                raise check.fail(owner, "graph", need, (cause, effect))
        variables = tuple(node for node in graph.nodes if node not in signs)
        object.__setattr__(self, "graph", graph)
        object.__setattr__(self, "indicators", dict(indicators))
        object.__setattr__(self, "variables", variables)
        object.__setattr__(
            self, "always_seen", tuple(node for node in variables if node not in indicators)
        )

    def signs(self, variables: Any) -> Names:
        """Indicators of those of some variables that have one."""
        return tuple(self.indicators[node] for node in variables if node in self.indicators)

    def independent(self, X: Any, Y: Any, given: Any) -> bool:
        """Separation that lets any side be empty; what is given on a side is left out of it."""
        z = set(given)
        x, y = (tuple(node for node in part if node not in z) for part in (X, Y))
        return not x or not y or self.graph.separated(x, y, tuple(z))

    @property
    def mechanism(self) -> Literal["MCAR", "MAR", "MNAR"]:
        """Missing completely at random, at random given what is always seen, or not at random."""
        hidden, signs = tuple(self.indicators), self.signs(self.variables)
        if self.independent(self.variables, signs, ()):
            return "MCAR"
        return "MAR" if self.independent(hidden, signs, self.always_seen) else "MNAR"

    @property
    def substantive(self) -> CausalGraph:
        """The graph of the variables alone."""
        return self.graph.subgraph(self.variables)
