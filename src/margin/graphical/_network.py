"""The directed model as a value: graph, states and checked conditional distributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core import extra
from margin.core.types import Floats
from margin.graphical._domain import Domain, shorten
from margin.graphical.cpds._cpd import CPD, DiscreteCPD, check_rows, refuse_large
from margin.graphical.cpds._gaussian_cpd import LinearGaussianCPD
from margin.graphical.cpds._noisy_or import NoisyOr
from margin.graphical.cpds._table_cpd import TableCPD
from margin.graphs import DAG

if TYPE_CHECKING:
    import pandas as pd

MANY_CAUSES = 5
"""Noisy-or with more parents than this enters inference as a chain of gates."""


@dataclass(frozen=True)
class Arrows:
    """Nodes and edges of somebody else's graph."""

    nodes: tuple[Any, ...]
    edges: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Network:
    r"""Joint :math:`p(x) = \prod_j p(x_j \mid x_{\mathrm{pa}(j)})`; every part has been checked.

    Parameters
    ----------
    owner : str
        Class that messages name.
    parents : mapping of str to tuple of str
        Parents of every node, in the order of the axes of its table.
    domain : Domain
        States of the discrete nodes.
    cpds : mapping of str to CPD
        Conditional distribution of every node; empty before it is learned.
    """

    owner: str
    parents: Mapping[str, tuple[str, ...]]
    domain: Domain
    cpds: Mapping[str, CPD]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Nodes in the order given."""
        return tuple(self.parents)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Nodes after their parents."""
        return topological_order(self.owner, self.parents)

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Arrows, by child."""
        return tuple((parent, child) for child, some in self.parents.items() for parent in some)

    @cached_property
    def graph(self) -> DAG:
        """The directed acyclic graph."""
        return DAG(self.names, self.edges)

    @cached_property
    def continuous(self) -> tuple[str, ...]:
        """Continuous nodes, parents first."""
        return tuple(n for n in self.order if n not in self.domain.index)

    def cards(self, names: Iterable[str]) -> list[int]:
        """Numbers of states of discrete nodes."""
        return [len(self.domain.states[name]) for name in names]

    @cached_property
    def _written(self) -> dict[str, Floats]:
        return {}

    def table(self, name: str) -> Floats:
        """Table of one discrete node, axes (parents, node), columns summing to one."""
        if name not in self._written:
            self._written[name] = self._write(name)
        return self._written[name]

    def _write(self, name: str) -> Floats:
        cpd, label = self.cpds[name], f"{self.owner}: table of {name!r}"
        assert isinstance(cpd, DiscreteCPD)
        parent_cards, (card,) = self.cards(self.parents[name]), self.cards([name])
        refuse_large(label, card, parent_cards)
        table = cpd.table(label, card, parent_cards)
        check_rows(self.owner, name, table, self.parents[name], self.domain.states)
        sums = table.sum(axis=-1, keepdims=True)
        # Rounded digits are mended; a table that is right to the last digits is left alone.
        return table if np.abs(sums - 1).max() <= 1e-14 else table / sums

    @property
    def n_parameters(self) -> int:
        r"""Free parameters, :math:`\sum_j (C_j - 1) \prod_{i \in \mathrm{pa}(j)} C_i` for tables.

        Serves graphical.02. The complete graph over the same variables needs
        :attr:`n_parameters_joint`.
        """
        total = 0
        for name, parents in self.parents.items():
            discrete = [p for p in parents if p in self.domain.index]
            known = name in self.domain.index
            if not known and name not in self.cpds:
                raise ValueError(f"{self.owner}: states of {name!r} must be known, got none")
            card = len(self.domain.states[name]) if known else len(parents) - len(discrete)
            cpd = self.cpds.get(name)
            cards = self.cards(discrete)
            total += cpd.n_parameters(card, cards) if cpd else (card - 1) * prod(cards)
        return total

    @property
    def n_parameters_joint(self) -> int:
        r"""Free parameters :math:`\prod_j C_j - 1` of the full joint table (graphical.02)."""
        return prod(self.domain.cardinalities) - 1

    def with_cpds(self, cpds: Mapping[str, CPD]) -> Network:
        """The same graph with some distributions replaced."""
        return replace(self, cpds={**self.cpds, **cpds})

    def intervene(self, do: Mapping[str, Any]) -> Network:
        """The network after the arrows into some nodes are cut and the nodes are set."""
        if not isinstance(do, Mapping):
            raise ValueError(
                f"{self.owner}: do must be a mapping, a data frame or a list of mappings, "
                f"got {type(do).__name__}"
            )
        parents, cpds = dict(self.parents), dict(self.cpds)
        for name, state in do.items():
            self.refuse_stranger(name)
            if name in self.continuous:
                number = self.set_number(name, state)
                parents[name], cpds[name] = (), LinearGaussianCPD(number, variance=0.0)
                continue
            code = self.domain.code(name, state)
            if code < 0:
                raise ValueError(f"{self.owner}: do must give {name!r} a state, got {state!r}")
            parents[name] = ()
            cpds[name] = TableCPD(np.eye(len(self.domain.states[name]))[code])
        return replace(self, parents=parents, cpds=cpds)

    def refuse_stranger(self, name: str) -> None:
        """Refuse an intervention on what is no node."""
        if name not in self.parents:
            raise ValueError(
                f"{self.owner}: do must name nodes, {shorten(self.names)}, got {name!r}"
            )

    def set_number(self, name: str, value: Any) -> float:
        """The value that an intervention gives to a continuous node."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise ValueError(f"{self.owner}: do must give {name!r} a finite number, got {value!r}")
        return number

    def with_ancestors(self, names: Iterable[str]) -> set[str]:
        """These nodes and everything upstream: the rest sums to one and can be left out."""
        kept: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in kept:
                kept.add(name)
                waiting.extend(self.parents[name])
        return kept

    def restricted(self, kept: Set[str]) -> Network:
        """The network over nodes that contain all their parents."""
        if len(kept) == len(self.parents):
            return self
        part = replace(
            self,
            parents={n: p for n, p in self.parents.items() if n in kept},
            domain=Domain(self.owner, {n: s for n, s in self.domain.states.items() if n in kept}),
            cpds={n: c for n, c in self.cpds.items() if n in kept},
        )
        part._written.update({n: t for n, t in self._written.items() if n in kept})
        return part

    def frame(self, drawn: Mapping[str, Any]) -> pd.DataFrame:
        """Codes and values by name as a data frame of state names and numbers."""
        pd = extra("pandas", "a data frame of draws")
        words = {
            name: self.domain.decode(name, values) if name in self.domain.index else values
            for name, values in drawn.items()
        }
        return pd.DataFrame({name: words[name] for name in self.names})

    def families(self) -> list[tuple[int, ...]]:
        """Positions of parents and node, for every discrete node; refuses tables too large."""
        for name in self.domain.names:
            card = len(self.domain.states[name])
            label = f"{self.owner}: table of {name!r}"
            refuse_large(label, card, self.cards(self.parents[name]))
        index = self.domain.index
        return [tuple(index[n] for n in (*self.parents[name], name)) for name in self.domain.names]

    def factors(self) -> tuple[list[int], list[tuple[int, ...]], list[Floats]]:
        """Cardinalities, scopes and tables of the discrete part; auxiliary variables come last."""
        cards = list(self.domain.cardinalities)
        scopes: list[tuple[int, ...]] = []
        tables: list[Floats] = []
        for name in self.domain.names:
            family = tuple(self.domain.index[n] for n in (*self.parents[name], name))
            cpd = self.cpds[name]
            if isinstance(cpd, NoisyOr) and len(family) > MANY_CAUSES + 1:
                cpd.check(f"{self.owner}: table of {name!r}", 2, self.cards(self.parents[name]))
                added = _gates(cpd, family, len(cards))
                cards += [2] * (len(family) - 2)
                scopes += [scope for scope, _ in added]
                tables += [table for _, table in added]
            else:
                scopes.append(family)
                tables.append(self.table(name))
        return cards, scopes, tables


def _gates(
    cpd: NoisyOr, family: tuple[int, ...], first: int
) -> list[tuple[tuple[int, ...], Floats]]:
    """Chain of or-gates; auxiliary variables are numbered from ``first``, the node is the last."""
    *parents, node = family
    outputs = [*range(first, first + len(parents) - 1), node]
    chain = []
    for at, (parent, gate) in enumerate(zip(parents, cpd.gates(), strict=True)):
        before = () if at == 0 else (outputs[at - 1],)
        chain.append(((*before, parent, outputs[at]), gate))
    return chain


def topological_order(owner: str, parents: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Nodes after their parents; refuses a cycle and names it.

    Examples
    --------
    >>> topological_order("Net", {"a": ("c",), "b": ("a",), "c": ("b",)})
    Traceback (most recent call last):
    ValueError: Net: edges must form no cycle, got 'a' -> 'b' -> 'c' -> 'a'
    """
    try:
        return tuple(TopologicalSorter(parents).static_order())
    except CycleError as error:
        loop = error.args[1]
        start = loop.index(min(loop[:-1], key=str))
        ring = loop[start:-1] + loop[: start + 1]
        shown = " -> ".join(map(repr, ring))
        raise ValueError(f"{owner}: edges must form no cycle, got {shown}") from None
