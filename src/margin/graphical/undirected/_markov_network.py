"""Markov networks and pairwise Markov random fields."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.graphical.formats._network_file import read_text, write_text
from margin.graphical.formats._uai import parse_uai, write_uai
from margin.graphical.undirected._undirected_model import UndirectedModel, checked_factors
from margin.graphs import maximal_cliques, moral_graph


class MarkovNetwork(UndirectedModel):
    r"""Clique potentials :math:`p(x) = \frac1Z \prod_c \phi_c(x_c)` (graphical.11).

    Parameters
    ----------
    factors : mapping of scope to array-like, or sequence of (scope, array-like)
        Potentials, at least 0, one axis per variable of the scope: unary, pairwise or higher.
    states : mapping of str to sequence, optional
        State names; 0, 1, … by default.
    memory_limit : int, optional
        Most bytes of the tables of inference.
    n_jobs : int, optional
        Threads.

    Examples
    --------
    >>> import numpy as np
    >>> network = MarkovNetwork({("a", "b"): [[3.0, 1.0], [1.0, 3.0]], ("a",): [1.0, 2.0]})
    >>> round(float(np.exp(network.log_partition)), 10)
    12.0
    >>> network.marginals()["a"].round(6).tolist()
    [0.333333, 0.666667]
    >>> network.conditional("b", {"a": 0}).tolist()
    [0.75, 0.25]
    """

    def __init__(
        self,
        factors: Any,
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        domain, checked = checked_factors("MarkovNetwork", factors, states)
        self._set(domain, checked, memory_limit, n_jobs)

    @classmethod
    def from_energies(
        cls,
        energies: Mapping[Any, Any],
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        beta: float = 1.0,
        **options: Any,
    ) -> MarkovNetwork:
        r"""Gibbs form :math:`p(x) = \frac1Z e^{-\beta \sum_c E_c(x_c)}`, which is positive.

        Examples
        --------
        >>> network = MarkovNetwork.from_energies({("a", "b"): [[0.0, 1.0], [1.0, 0.0]]})
        >>> round(float(network.energy({"a": 0, "b": 1})), 10)
        1.0
        """
        tables = {c: np.exp(-beta * np.asarray(e, dtype=float)) for c, e in energies.items()}
        return cls(tables, states, **options)

    @classmethod
    def from_bayesian_network(cls, network: Any) -> MarkovNetwork:
        """Moral graph of a Bayesian network, its tables as potentials, Z = 1 (graphical.16).

        Every table is multiplied into a maximal clique of the moral graph that holds its family.

        Examples
        --------
        >>> from margin.graphical import BayesianNetwork
        >>> chain = BayesianNetwork.from_edges([("a", "b")],
        ...     {"a": [0.3, 0.7], "b": [[0.9, 0.1], [0.2, 0.8]]})
        >>> moral = MarkovNetwork.from_bayesian_network(chain)
        >>> [scope for scope, _ in moral.factors], round(moral.log_partition, 12)
        ([('a', 'b')], 0.0)
        """
        model = network._discrete("from_bayesian_network")
        cliques = maximal_cliques(moral_graph(model.graph))
        tables = {c: np.ones(model.cards(c)) for c in cliques}
        for name in model.domain.names:
            family = (*model.parents[name], name)
            home = next(c for c in cliques if set(family) <= set(c))
            tables[home] = tables[home] * spread(model.table(name), family, home)
        return cls(tables, model.domain.states)

    @classmethod
    def from_uai(cls, source: Any) -> MarkovNetwork:
        """Network of a UAI file; variables are called x0, x1, …"""
        parsed = parse_uai(read_text("from_uai", source))
        names = [f"x{v}" for v in range(len(parsed.cardinalities))]
        states = {
            n: tuple(map(str, range(c))) for n, c in zip(names, parsed.cardinalities, strict=True)
        }
        pairs = zip(parsed.scopes, parsed.tables, strict=True)
        return cls([(tuple(names[v] for v in scope), table) for scope, table in pairs], states)

    def to_uai(self, target: Any = None) -> str | None:
        """Write as UAI to a path or open file; without one the text is returned."""
        tree = self._engine().whole
        text = write_uai("MARKOV", tree.cardinalities, tree.scopes, tree.tables)
        return write_text(target, text)


class PairwiseMRF(UndirectedModel):
    r"""Potentials on nodes and edges only (graphical.12).

    .. math:: p(x) = \frac1Z \prod_i \phi_i(x_i) \prod_{i \sim j} \phi_{ij}(x_i, x_j)

    Parameters
    ----------
    edges : mapping of (str, str) to array-like
        Potentials :math:`\phi_{ij}` of shape (states of i, states of j).
    nodes : mapping of str to array-like, optional
        Potentials :math:`\phi_i`; one by default.
    states : mapping of str to sequence, optional
        State names; 0, 1, … by default.
    memory_limit, n_jobs : int, optional
        As for :class:`MarkovNetwork`.

    Examples
    --------
    >>> field = PairwiseMRF({("a", "b"): [[2.0, 1.0], [1.0, 2.0]]}, {"a": [1.0, 3.0]})
    >>> field.conditional("b", {"a": 1}).round(4).tolist()
    [0.3333, 0.6667]
    """

    def __init__(
        self,
        edges: Mapping[tuple[str, str], Any],
        nodes: Mapping[str, Any] | None = None,
        states: Mapping[str, Sequence[Hashable]] | None = None,
        *,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ):
        for edge in edges:
            if isinstance(edge, str) or len(edge) != 2:
                raise check.fail(self, "edges", "keyed by pairs of variables", edge)
        singles = [((name,), table) for name, table in (nodes or {}).items()]
        domain, checked = checked_factors("PairwiseMRF", [*singles, *edges.items()], states)
        self._set(domain, checked, memory_limit, n_jobs)


def spread(table: Floats, scope: Sequence[Any], wanted: Sequence[Any]) -> Floats:
    """A table with its axes in the order of a larger scope, length one where it has none.

    Examples
    --------
    >>> spread(np.ones((2, 3)), ["b", "a"], ["a", "c", "b"]).shape
    (3, 1, 2)
    """
    kept = [name for name in wanted if name in scope]
    ordered = np.transpose(table, [list(scope).index(name) for name in kept])
    shape = iter(ordered.shape)
    return ordered.reshape([next(shape) if name in scope else 1 for name in wanted])
