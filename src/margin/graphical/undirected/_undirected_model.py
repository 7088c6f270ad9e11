"""What all models given by factors share: partition function, probabilities, energies, draws."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from margin.core import check, threads
from margin.core.random import generator
from margin.core.types import Floats
from margin.graphical._domain import Domain, shorten
from margin.graphical.cpds._cpd import refuse_large
from margin.graphical.engines._factor_engine import FactorEngine
from margin.graphical.engines._named_tree import NamedTree
from margin.graphical.queries._joint_model import JointModel
from margin.graphs import FactorGraph, UndirectedGraph
from margin.inference import FactorModel

Factors = Sequence[tuple[tuple[str, ...], Floats]]


class UndirectedModel(JointModel):
    r"""Distribution :math:`p(x) = \frac1Z \prod_k \phi_k(x_{S_k})`; abstract.

    A subclass calls :meth:`_set` with checked parts in its constructor.
    """

    @abstractmethod
    def __init__(self) -> None:
        """Check and set the parts."""

    def _set(
        self, domain: Domain, factors: Factors, memory_limit: int | None, n_jobs: int | None
    ) -> None:
        self._names = domain
        self.factors = tuple(factors)
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs

    @property
    def _domain(self) -> Domain:
        return self._names

    def _engine(self, do: Mapping[str, Any] | None = None) -> FactorEngine:
        if do is not None and len(do):
            raise check.fail(self, "do", "empty: the model has no arrows", do)
        return self._factor_engine

    @cached_property
    def _factor_engine(self) -> FactorEngine:
        index = self._domain.index
        tree = NamedTree(
            self._domain,
            self._domain.cardinalities,
            [tuple(index[v] for v in scope) for scope, _ in self.factors],
            [table for _, table in self.factors],
            threads.count(self.n_jobs),
            self.memory_limit,
        )
        return FactorEngine(tree)

    @property
    def graph(self) -> Any:
        """Undirected graph that joins the variables of every factor."""
        return UndirectedGraph.from_cliques(
            [scope for scope, _ in self.factors], nodes=self.variables
        )

    @property
    def factor_graph(self) -> FactorGraph:
        """Bipartite graph of variables and factors."""
        return FactorGraph(self.variables, [scope for scope, _ in self.factors])

    def factor_model(self) -> FactorModel:
        """The same model over numbered variables, for the engines of :mod:`margin.inference`."""
        tree = self._engine().whole
        return FactorModel(tuple(tree.cardinalities), tuple(tree.scopes), tuple(tree.tables))

    @property
    def log_partition(self) -> float:
        r"""Logarithm of :math:`Z = \sum_x \prod_k \phi_k(x_{S_k})`."""
        return self._engine().log_partition

    def log_potential(self, rows: Any) -> Any:
        r"""Unnormalised :math:`\sum_k \log \phi_k` of complete rows (frame or mapping)."""
        return self._engine().log_potential(rows)

    def energy(self, rows: Any, beta: float = 1.0) -> Any:
        r"""Energy :math:`E(x) = -\frac1\beta \sum_k \ln \phi_k(x_{S_k})` (graphical.11)."""
        return -self.log_potential(rows) / beta

    def log_prob(self, rows: Any) -> Any:
        """Log-probability of every row; NaN is summed out exactly."""
        return self._engine().log_prob(rows)

    def conditional(self, name: str, others: Mapping[str, Hashable]) -> Floats:
        r"""Distribution :math:`p(x_i \mid x_{\setminus i})`, which needs only the neighbours.

        Serves graphical.12.
        """
        at = self._domain.position(name)
        blanket = {v for scope, _ in self.factors if name in scope for v in scope} - {name}
        missing = sorted(blanket - set(others), key=str)
        if missing:
            raise check.fail(
                self, "others", f"states of {shorten(sorted(blanket, key=str))}", missing
            )
        score = np.zeros(self._domain.cardinalities[at])
        with np.errstate(divide="ignore"):
            for scope, table in self.factors:
                if name in scope:
                    codes = [
                        slice(None) if v == name else self._domain.code(v, others[v]) for v in scope
                    ]
                    score = score + np.log(table[tuple(codes)])
        if not np.isfinite(score).any():
            raise check.fail(self, "others", "possible", dict(others))
        weight = np.exp(score - score.max())
        return np.asarray(weight / weight.sum())

    def sample(self, n_samples: int = 1, evidence: Any = None, *, random_state: Any = None) -> Any:
        """Independent draws as a data frame of state names."""
        drawn = self.query(
            None, evidence, kind="sample", n_samples=n_samples, random_state=generator(random_state)
        )
        return drawn.to_frame()


def checked_factors(
    owner: str,
    factors: Any,
    states: Mapping[str, Sequence[Hashable]] | None,
    nodes: Iterable[Any] = (),
) -> tuple[Domain, list[tuple[tuple[str, ...], Floats]]]:
    """Domain and factors from a mapping of scopes to tables, or pairs (scope, table)."""
    pairs = factors.items() if hasattr(factors, "items") else factors
    checked: list[tuple[tuple[str, ...], Floats]] = []
    cards: dict[str, int] = {name: len(s) for name, s in (states or {}).items()}
    for pair in pairs:
        scope, values = pair
        names = (scope,) if isinstance(scope, str) else tuple(scope)
        table = np.array(values, dtype=np.float64)
        if table.ndim != len(names) or len(set(names)) != len(names):
            raise ValueError(
                f"{owner}: factor over {names!r} must have {len(names)} axes, got {table.shape}"
            )
        refuse_large(f"{owner}: factor over {names!r}", 1, table.shape)
        if not np.isfinite(table).all() or table.min(initial=0) < 0:
            bad = table[~(np.isfinite(table) & (table >= 0))][0]
            raise ValueError(
                f"{owner}: factor over {names!r} must be finite and at least 0, got {bad}"
            )
        for name, card in zip(names, table.shape, strict=True):
            if cards.setdefault(name, card) != card:
                raise ValueError(
                    f"{owner}: factor over {names!r} must have {cards[name]} states of {name!r}, "
                    f"got {card}"
                )
        table.flags.writeable = False
        checked.append((names, table))
    for name in nodes:
        if name not in cards:
            raise ValueError(f"{owner}: states of {name!r} must be given, got none")
    named = {name: tuple((states or {}).get(name, range(card))) for name, card in cards.items()}
    return Domain(owner, named), checked
