"""Chain graphs with a normaliser per component, and models given as factor graphs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.graphical.cpds._cpd import MAX_ENTRIES
from margin.graphical.undirected._markov_network import spread
from margin.graphical.undirected._undirected_model import UndirectedModel, checked_factors
from margin.graphs import ChainGraph, FactorGraph


class ChainGraphModel(UndirectedModel):
    r"""Components normalised given their parents (graphical.15).

    .. math:: p(x) = \prod_\tau \frac{1}{Z_\tau(x_{\mathrm{pa}(\tau)})} \prod_{k \in \tau} \phi_k,
              \qquad Z_\tau(x_{\mathrm{pa}}) = \sum_{x_\tau} \prod_{k \in \tau} \phi_k

    The normaliser depends on the parents: with one global constant instead, the marginals of the
    parents would change. All components single: a Bayesian network. One component: a Markov
    network.

    Parameters
    ----------
    graph : ChainGraph
        Arrows between components, undirected edges within.
    factors : mapping of scope to array-like, or sequence of (scope, array-like)
        Potentials; each lies in one component together with its parents.
    states : mapping of str to sequence, optional
        State names; 0, 1, … by default.
    memory_limit, n_jobs : int, optional
        As for :class:`MarkovNetwork`.

    Examples
    --------
    >>> from margin.graphs import ChainGraph
    >>> graph = ChainGraph(["a", "c", "d"], [("a", "c")], [("c", "d")])
    >>> model = ChainGraphModel(graph, {("a",): [0.4, 0.6],
    ...     ("a", "c"): [[0.9, 0.1], [0.2, 0.8]], ("c", "d"): [[4.0, 1.0], [1.0, 2.0]]})
    >>> model.marginals()["a"].round(6).tolist(), abs(round(model.log_partition, 10))
    ([0.4, 0.6], 0.0)
    """

    def __init__(
        self,
        graph: ChainGraph,
        factors: Any,
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        if not isinstance(graph, ChainGraph):
            raise check.fail(self, "graph", "a ChainGraph", type(graph).__name__)
        domain, checked = checked_factors("ChainGraphModel", factors, states, graph.nodes)
        self.chain_graph = graph
        card = {name: len(s) for name, s in domain.states.items()}
        left = list(checked)
        normalisers = []
        for component in graph.components():
            parents = tuple(
                n for n in graph.nodes if any((n, c) in graph.directed for c in component)
            )
            family = {*component, *parents}
            mine = [(s, t) for s, t in left if set(s) <= family and set(s) & set(component)]
            left = [(s, t) for s, t in left if not (set(s) <= family and set(s) & set(component))]
            normalisers.append(_normaliser("ChainGraphModel", component, parents, mine, card))
        if left:
            raise check.fail(self, "factors", "within a component and its parents", left[0][0])
        self._set(domain, [*checked, *normalisers], memory_limit, n_jobs)


def _normaliser(
    owner: str,
    component: Sequence[Any],
    parents: tuple[Any, ...],
    factors: Sequence[tuple[tuple[str, ...], Floats]],
    card: Mapping[str, int],
) -> tuple[tuple[str, ...], Floats]:
    """Factor 1 / Z over the parents of a component."""
    scope = (*parents, *component)
    entries = prod(card[name] for name in scope)
    if entries > MAX_ENTRIES:
        raise check.fail(
            owner, f"component {tuple(component)}", f"at most {MAX_ENTRIES} states", entries
        )
    product = np.ones([card[name] for name in scope])
    for names, table in factors:
        product = product * spread(table, names, scope)
    total = product.sum(axis=tuple(range(len(parents), len(scope))))
    if not np.all(total > 0):
        raise check.fail(
            owner, f"component {tuple(component)}", "possible for all parents", "Z = 0"
        )
    return parents, 1.0 / np.asarray(total)


class FactorGraphModel(UndirectedModel):
    r"""Named factors :math:`p(x) = \frac1Z \prod_k f_k(x_{S_k})`.

    Parameters
    ----------
    graph : FactorGraph
        Variables, and the scope of every factor.
    tables : mapping of factor name to array-like
        Non-negative, one axis per variable of the scope.
    states : mapping of str to sequence, optional
        State names; 0, 1, … by default.
    memory_limit, n_jobs : int, optional
        As for :class:`MarkovNetwork`.

    Examples
    --------
    >>> from margin.graphs import FactorGraph
    >>> graph = FactorGraph(["a", "b"], {"prior": ["a"], "likelihood": ["a", "b"]})
    >>> model = FactorGraphModel(graph,
    ...     {"prior": [0.5, 0.5], "likelihood": [[0.9, 0.1], [0.2, 0.8]]})
    >>> model.query("a", {"b": 1}).values.round(6).tolist()
    [0.111111, 0.888889]
    """

    def __init__(
        self,
        graph: FactorGraph,
        tables: Mapping[Any, Any],
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ):
        if not isinstance(graph, FactorGraph):
            raise check.fail(self, "graph", "a FactorGraph", type(graph).__name__)
        if set(tables) != set(graph.factors):
            raise check.fail(
                self, "tables", f"one per factor of {tuple(graph.factors)}", tuple(tables)
            )
        pairs = [(graph.factors[name], table) for name, table in tables.items()]
        domain, checked = checked_factors("FactorGraphModel", pairs, states, graph.variables)
        self._set(domain, checked, memory_limit, n_jobs)
        self._graph = graph

    @property
    def factor_graph(self) -> FactorGraph:
        """The bipartite graph as given."""
        return self._graph
