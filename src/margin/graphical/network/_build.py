"""Networks from what a user gives: edges or a graph, tables or distributions, state names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from margin.graphical._domain import Domain, shorten
from margin.graphical._network import MANY_CAUSES, Network, topological_order
from margin.graphical.cpds._cpd import CPD, DiscreteCPD, check_rows
from margin.graphical.cpds._gaussian_cpd import GaussianCPD
from margin.graphical.cpds._noisy_or import NoisyOr
from margin.graphical.cpds._table_cpd import TableCPD


def build(
    owner: str,
    edges: Any,
    cpds: Mapping[str, Any] | None,
    states: Mapping[str, Sequence[Hashable]] | None = None,
) -> Network:
    """Checked network from edges (or a DAG), distributions (or arrays) and state names."""
    given = {
        name: _as_cpd(owner, name, value, edges, states) for name, value in (cpds or {}).items()
    }
    parents = _parents(owner, edges, given, states)
    topological_order(owner, parents)
    for name, cpd in given.items():
        if cpd.parents is not None:
            if sorted(map(str, cpd.parents)) != sorted(map(str, parents[name])):
                raise ValueError(
                    f"{owner}: parents of {name!r} must be {shorten(parents[name]) or 'none'}, "
                    f"got {shorten(cpd.parents) or 'none'}"
                )
            parents[name] = cpd.parents
    if given and (missing := [name for name in parents if name not in given]):
        raise ValueError(f"{owner}: cpds must cover every node, got none for {shorten(missing)}")
    network = Network(owner, parents, _domain(owner, parents, given, states), given)
    _check(network)
    return network


def _as_cpd(owner: str, name: str, value: Any, edges: Any, states: Mapping[str, Any] | None) -> CPD:
    if isinstance(value, CPD):
        return value
    try:
        return TableCPD(value)
    except ValueError as error:
        if "column of" in str(error):
            _refuse_column(owner, name, np.asarray(value, dtype=np.float64), edges, states)
        words = str(error).removeprefix("TableCPD: ").replace("'values'", repr(name), 1)
        raise ValueError(f"{owner}: {words.replace('values', f'table of {name!r}', 1)}") from None


def _refuse_column(
    owner: str, name: str, table: Any, edges: Any, states: Mapping[str, Any] | None
) -> None:
    """Say which column of a table is wrong by the names of the parents, where there is one each."""
    parents = _parents(owner, edges, {}, states).get(name, ())
    sides = dict(zip(parents, table.shape, strict=False))
    known = {p: s for p, s in (states or {}).items() if sides.get(p, 0) == len(s)}
    check_rows(owner, name, table, parents, known)


def _parents(
    owner: str, edges: Any, cpds: Mapping[str, CPD], states: Mapping[str, Any] | None
) -> dict[str, tuple[str, ...]]:
    nodes = tuple(getattr(edges, "nodes", ()))
    pairs = edges.edges if nodes or hasattr(edges, "edges") else (edges or ())
    parents: dict[str, list[str]] = {name: [] for name in (*(states or {}), *nodes)}
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise ValueError(f"{owner}: edges must be pairs (parent, child), got {pair!r}")
        parent, child = pair
        parents.setdefault(parent, [])
        if parent in parents.setdefault(child, []):
            raise ValueError(f"{owner}: edges must differ, got {(parent, child)!r} twice")
        parents[child].append(parent)
    for name, cpd in cpds.items():
        if name not in parents:
            if cpd.parents:
                raise ValueError(
                    f"{owner}: parents of {name!r} must be joined to it by edges, "
                    f"got {shorten(cpd.parents)}"
                )
            parents[name] = []
    return {name: tuple(some) for name, some in parents.items()}


def _domain(
    owner: str,
    parents: Mapping[str, Sequence[str]],
    cpds: Mapping[str, CPD],
    states: Mapping[str, Sequence[Hashable]] | None,
) -> Domain:
    named: dict[str, tuple[Hashable, ...]] = {}
    for name in parents:
        cpd = cpds.get(name)
        if cpd is not None and not cpd.discrete:
            continue
        implied = cpd.states_implied() if isinstance(cpd, DiscreteCPD) else None
        if states is not None and name in states:
            named[name] = tuple(states[name])
            if implied is not None and implied != len(named[name]):
                raise ValueError(
                    f"{owner}: table of {name!r} must have {len(named[name])} states, got {implied}"
                )
        elif implied is not None:
            named[name] = tuple(range(implied))
    return Domain(owner, named)


def refuse_continuous_parents(network: Network, continuous: Set[str]) -> None:
    """A discrete node has discrete parents only."""
    for name, parents in network.parents.items():
        above = [p for p in parents if p in continuous]
        if above and name not in continuous:
            raise ValueError(
                f"{network.owner}: parents of the discrete node {name!r} must be discrete, "
                f"got {above[0]!r}"
            )


def _check(network: Network) -> None:
    """Refuse continuous parents of discrete nodes and parameters of the wrong shape."""
    refuse_continuous_parents(network, {n for n, c in network.cpds.items() if not c.discrete})
    for name, cpd in network.cpds.items():
        parents = network.parents[name]
        if isinstance(cpd, GaussianCPD):
            discrete = [p for p in parents if network.cpds[p].discrete]
            n_continuous = len(parents) - len(discrete)
            cpd.arrays(f"{network.owner}: CPD of {name!r}", network.cards(discrete), n_continuous)
        elif not (isinstance(cpd, NoisyOr) and len(parents) > MANY_CAUSES):
            network.table(name)
