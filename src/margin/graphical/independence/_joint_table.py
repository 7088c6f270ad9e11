"""A full joint table, asked which graphs it goes with."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.graphical.cpds._cpd import refuse_large
from margin.graphical.independence._variable_order import best_order, pearl_construction
from margin.graphical.network._bayesian_network import BayesianNetwork
from margin.graphical.undirected._markov_network import spread
from margin.graphs import (
    DAG,
    PDAG,
    UndirectedGraph,
    independences,
    is_imap,
    markov_violations,
    maximal_cliques,
    perfect_map,
    table_oracle,
)

_MOST_NODES = 12


class JointTable:
    r"""Joint probabilities :math:`p(x_1, \dots, x_D)` and their conditional independences.

    Parameters
    ----------
    values : array-like
        One axis per variable; normalised to sum to one.
    names : sequence of str
        Names of the axes.
    states : mapping of str to sequence, optional
        State names; 0, 1, … by default.
    tol : float, default=1e-10
        Difference of probabilities that counts as none.

    Examples
    --------
    >>> import numpy as np
    >>> xor = np.zeros((2, 2, 2))
    >>> for a in range(2):
    ...     for b in range(2):
    ...         xor[a, b, a ^ b] = 0.25
    >>> table = JointTable(xor, ["a", "b", "c"])
    >>> table.independent("a", "b"), table.independent("a", "b", "c")
    (True, False)
    >>> table.perfect_map() is None
    True
    """

    def __init__(
        self,
        values: ArrayLike,
        names: Sequence[str],
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        tol: float = 1e-10,
    ) -> None:
        table = np.array(values, dtype=np.float64)
        self.names = tuple(names)
        self.tol = tol
        if table.ndim != len(self.names):
            raise check.fail(self, "names", f"of {table.ndim} axes", self.names)
        self._oracle = table_oracle(table, self.names, tol=tol)
        self.values = table / table.sum()
        self.states = states

    @classmethod
    def of(cls, model: Any) -> JointTable:
        """Table of a discrete model with few variables."""
        cards = [len(model.states[name]) for name in model.variables]
        refuse_large("JointTable: joint table", 1, cards)
        return cls(model.query(model.variables).values, model.variables, model.states)

    def independent(self, X: Any, Y: Any, given: Any = ()) -> bool:
        """Whether X and Y are independent given the third; names or lists of names."""
        return bool(self._oracle(_listed(X), _listed(Y), _listed(given)))

    def cascade(self, order: Sequence[str] | None = None) -> BayesianNetwork:
        """The table as a network by the chain rule, all earlier variables as parents.

        Serves graphical.01 and graphical.02: any joint is reproduced, with as many parameters.
        Columns of probability zero are uniform.
        """
        names = self.names if order is None else tuple(order)
        return self.network(DAG(names, list(combinations(names, 2))))

    def network(self, graph: DAG) -> BayesianNetwork:
        """Network on a graph with the conditional tables of this joint."""
        cpds = {}
        for name in graph.nodes:
            family = (*graph.parents(name), name)
            table = self._marginal(family)
            total = table.sum(axis=-1, keepdims=True)
            safe = np.where(total > 0, total, 1.0)
            cpds[name] = np.where(total > 0, table / safe, 1.0 / table.shape[-1])
        return BayesianNetwork.from_edges(graph, cpds, self.states)

    def factorises(self, graph: Any) -> bool:
        r"""Whether :math:`p` is the product its graph asks for (graphical.05; graphical.13).

        For a DAG: :math:`p = \prod_j p(x_j \mid x_{\mathrm{pa}(j)})`, true exactly when the graph
        is an I-map. For an undirected graph and a positive table, the theorem of Hammersley and
        Clifford: a product of clique potentials exactly when the Markov properties hold.
        """
        if isinstance(graph, UndirectedGraph):
            return self._has_clique_product(graph)
        product = JointTable.of(self.network(graph))._marginal(self.names)
        return bool(np.abs(product - self.values).max() <= self.tol)

    def _has_clique_product(self, graph: UndirectedGraph) -> bool:
        """Interactions of variables that are no clique must vanish in the log-linear expansion."""
        if not np.all(self.values > 0):
            raise check.fail(self, "values", "positive for clique potentials", "a zero")
        cliques = [set(c) for c in maximal_cliques(graph)]
        log_table = np.log(self.values)
        for size in range(2, len(self.names) + 1):
            for scope in combinations(range(len(self.names)), size):
                if any({self.names[v] for v in scope} <= c for c in cliques):
                    continue
                rest = tuple(v for v in range(len(self.names)) if v not in scope)
                effect = log_table.mean(axis=rest, keepdims=True)
                for v in scope:
                    effect = effect - effect.mean(axis=v, keepdims=True)
                if np.abs(effect).max() > np.sqrt(self.tol):
                    return False
        return True

    def is_markov(self, graph: Any, kind: Any = "global") -> bool:
        """Whether the statements of a Markov property of the graph hold (graphical.07; .13)."""
        return next(markov_violations(graph, self._oracle, kind), None) is None

    def is_imap(self, graph: Any) -> bool:
        """Whether the graph claims no independence that the table lacks (graphical.05)."""
        return is_imap(graph, self._oracle)

    def is_minimal_imap(self, graph: DAG) -> bool:
        """Whether it is an I-map and no edge can be left out (graphical.05; graphical.07)."""
        return self.is_imap(graph) and not any(
            self.is_imap(DAG(graph.nodes, [e for e in graph.edges if e != edge]))
            for edge in graph.edges
        )

    def is_faithful(self, graph: DAG) -> bool:
        """Whether the table has no independence that the graph does not show (graphical.07)."""
        self._refuse_many("is_faithful")
        shown = {(s.X, s.Y, frozenset(s.given)) for s in independences(graph, pairs=True)}
        shown |= {(y, x, z) for x, y, z in shown}
        return all(
            ((a,), (b,), frozenset(given)) in shown
            for a, b in combinations(self.names, 2)
            for given in _subsets([n for n in self.names if n not in (a, b)])
            if self.independent(a, b, given)
        )

    def minimal_imap(self, order: Sequence[str] | None = None) -> DAG:
        """Pearl's construction for an order of the variables (graphical.04)."""
        return pearl_construction(self.names if order is None else order, self._oracle)

    def best_order(self) -> tuple[tuple[str, ...], DAG]:
        """Order of the variables whose graph has the fewest edges (graphical.03)."""
        return best_order(self.names, self._oracle)

    def perfect_map(self) -> PDAG | None:
        """Class of graphs that show exactly the independences of the table (graphical.06).

        ``None`` where there is none, as for exclusive or.
        """
        self._refuse_many("perfect_map")
        return perfect_map(self._oracle, self.names)

    def _marginal(self, names: Sequence[Any]) -> Any:
        at = [self.names.index(name) for name in names]
        rest = tuple(i for i in range(len(self.names)) if i not in at)
        return spread(self.values.sum(axis=rest), [self.names[i] for i in sorted(at)], names)

    def _refuse_many(self, method: str) -> None:
        if len(self.names) > _MOST_NODES:
            raise check.fail(self, "names", f"at most {_MOST_NODES} for {method}", len(self.names))


def _listed(names: Any) -> list[Any]:
    return [names] if isinstance(names, str) else list(names)


def _subsets(items: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))
