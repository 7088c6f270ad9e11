"""Interventions given as rows: one cut network and evidence on the nodes that are set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core.types import Floats, Ints
from margin.graphical._network import Network
from margin.graphical.cpds._gaussian_cpd import LinearGaussianCPD
from margin.graphical.cpds._table_cpd import TableCPD
from margin.graphical.engines._evidence import Evidence
from margin.graphical.engines._split_evidence import SplitEvidence, split_evidence


@dataclass(frozen=True, eq=False)
class Settings:
    """What an intervention gives to some nodes, row by row.

    Parameters
    ----------
    n_rows : int
    codes : mapping of str to ndarray of shape (n_rows,)
        States of discrete nodes.
    values : mapping of str to ndarray of shape (n_rows,)
        Values of continuous nodes.
    """

    n_rows: int
    codes: Mapping[str, Ints]
    values: Mapping[str, Floats]


def is_rows(do: Any) -> bool:
    """Whether an intervention is a frame or a list of mappings: a row per query.

    Examples
    --------
    >>> is_rows({"a": 1}), is_rows(None), is_rows([{"a": 1}, {"a": 0}])
    (False, False, True)
    """
    if hasattr(do, "columns"):
        return True
    return isinstance(do, Sequence) and all(isinstance(row, Mapping) for row in do)


def set_by_row(
    network: Network, do: Any, evidence: Any
) -> tuple[Network, Evidence | SplitEvidence]:
    r"""The network without the arrows into the nodes that are set, and what is known of each row.

    A node without parents that is observed is a node that is set:
    :math:`p(x \mid e, \mathrm{do}(s)) = p_{\text{cut}}(x \mid e, s)`, whatever the distribution of
    :math:`s` in the cut network. So one model answers all rows.
    """
    settings = _settings(network, do)
    cut = _cut(network, settings)
    # Its continuous nodes have an order of their own: fewer arrows.
    known = split_evidence(cut, evidence)
    n_rows = settings.n_rows
    if known.discrete.batched and len(known.values) != n_rows:
        raise ValueError(
            f"{network.owner}: evidence and do must have as many rows, "
            f"got {len(known.values)} and {n_rows}"
        )
    every = _with_settings(cut, known, settings)
    return cut, every if network.continuous else every.discrete


def _settings(network: Network, do: Any) -> Settings:
    columns = _columns(network.owner, do)
    for name in columns:
        network.refuse_stranger(name)
    values = {
        name: np.array([network.set_number(name, value) for value in column])
        for name, column in columns.items()
        if name in network.continuous
    }
    codes = {n: network.domain.encode(n, c) for n, c in columns.items() if n not in values}
    for name, column in codes.items():
        missing = np.flatnonzero(column < 0)
        if len(missing):
            raise ValueError(
                f"{network.owner}: do must give {name!r} a state in every row, "
                f"got none in row {missing[0]}"
            )
    return Settings(len(do), codes, values)


def _columns(owner: str, do: Any) -> dict[str, Any]:
    if hasattr(do, "columns"):
        names = list(do.columns)
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise ValueError(f"{owner}: columns of do must differ, got {twice!r} twice")
        return {name: do[name] for name in names}
    names = list(do[0]) if len(do) else []
    for at, row in enumerate(do):
        if set(row) != set(names):
            raise ValueError(
                f"{owner}: rows of do must set the same nodes, "
                f"got {list(row)} in row {at} and {names} in row 0"
            )
    return {name: [row[name] for row in do] for name in names}


def _cut(network: Network, settings: Settings) -> Network:
    """Nodes that are set lose their arrows and get a distribution that makes them likely."""
    parents, cpds = dict(network.parents), dict(network.cpds)
    for name in settings.codes:
        card = len(network.domain.states[name])
        parents[name], cpds[name] = (), TableCPD(np.full(card, 1.0 / card))
    for name, column in settings.values.items():
        # Far values under a narrow normal would take the digits of every other density.
        mean, variance = (column.mean(), column.var()) if len(column) else (0.0, 1.0)
        cpds[name] = LinearGaussianCPD(mean, variance=variance or 1.0)
        parents[name] = ()
    return replace(network, parents=parents, cpds=cpds)


def _with_settings(network: Network, known: SplitEvidence, settings: Settings) -> SplitEvidence:
    """The evidence with the nodes that are set among what is observed, a row per query."""
    n_rows, discrete = settings.n_rows, known.discrete
    codes = np.array(np.broadcast_to(discrete.codes, (n_rows, discrete.codes.shape[1])))
    values = np.array(np.broadcast_to(known.values, (n_rows, known.values.shape[1])))
    for name, states in settings.codes.items():
        at = network.domain.index[name]
        told = (codes[:, at] >= 0) & (codes[:, at] != states)
        weak = at in discrete.likelihoods or at in discrete.soft
        _refuse_conflict(network, name, weak or bool(told.any()))
        codes[:, at] = states
    for name, column in settings.values.items():
        at = network.continuous.index(name)
        told = ~np.isnan(values[:, at]) & (values[:, at] != column)
        _refuse_conflict(network, name, bool(told.any()))
        values[:, at] = column

    def rows_of(weak: Mapping[int, Floats]) -> dict[int, Floats]:
        shape = {v: (n_rows, a.shape[1]) for v, a in weak.items()}
        return {v: np.ascontiguousarray(np.broadcast_to(a, shape[v])) for v, a in weak.items()}

    every = Evidence(codes, rows_of(discrete.likelihoods), rows_of(discrete.soft), batched=True)
    return SplitEvidence(every, values)


def _refuse_conflict(network: Network, name: str, conflict: bool) -> None:
    if conflict:
        raise ValueError(f"{network.owner}: evidence on {name!r} must be what do sets it to")
