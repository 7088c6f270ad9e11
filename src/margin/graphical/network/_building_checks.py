"""Doubts about a model that is formally right: advice for the one who builds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from margin.graphical._domain import shorten
from margin.graphical._network import Network
from margin.graphical.cpds._cpd import DiscreteCPD
from margin.graphical.cpds._noisy_or import NoisyOr

_MANY_ENTRIES = 10_000


@dataclass(frozen=True, repr=False)
class BuildingReport:
    """What a careful builder would look at again (graphical.09).

    Parameters
    ----------
    zero_probabilities : mapping of str to int
        Entries of exactly 0 per node: no evidence can ever overcome them.
    unconnected, one_state : tuple of str
        Nodes without any arrow; nodes that never vary.
    against_time : tuple of (str, str)
        Arrows from a later to an earlier tier of the causal order.
    large_tables : mapping of str to int
        Entries of tables that are hard to fill from data.
    shared_children : tuple of (str, str)
        Pairs of parentless nodes with two children or more in common, where a latent common
        cause is worth a thought.
    """

    zero_probabilities: dict[str, int]
    unconnected: tuple[str, ...]
    one_state: tuple[str, ...]
    against_time: tuple[tuple[str, str], ...]
    large_tables: dict[str, int]
    shared_children: tuple[tuple[str, str], ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence per doubt; empty when there is none."""
        doubts = []
        if self.zero_probabilities:
            total, nodes = sum(self.zero_probabilities.values()), list(self.zero_probabilities)
            doubts.append(
                f"{total} probabilities are exactly 0 (nodes {shorten(nodes)}): "
                "no evidence can overcome them"
            )
        if self.unconnected:
            doubts.append(f"nodes without arrows: {shorten(self.unconnected)}")
        if self.one_state:
            doubts.append(f"nodes with a single state: {shorten(self.one_state)}")
        doubts += [
            f"arrow {a!r} -> {b!r} points against the causal order" for a, b in self.against_time
        ]
        doubts += [
            f"table of {name!r} has {size} entries: fewer parents, or a parametric CPD"
            for name, size in self.large_tables.items()
        ]
        doubts += [
            f"{a!r} and {b!r} are independent causes of the same effects: is there a latent "
            "common cause?"
            for a, b in self.shared_children
        ]
        return tuple(doubts)

    def __repr__(self) -> str:
        if not self.warnings:
            return "model check: no doubts"
        return "model check:\n" + "\n".join(f"  {line}" for line in self.warnings)


def building_report(network: Network, causal_order: Iterable[Iterable[str]] = ()) -> BuildingReport:
    """Check a network; ``causal_order`` lists tiers of nodes, the earliest first."""
    zeros: dict[str, int] = {}
    large: dict[str, int] = {}
    for name, cpd in network.cpds.items():
        if not isinstance(cpd, DiscreteCPD) or isinstance(cpd, NoisyOr):
            continue
        table = network.table(name)
        if hits := int(np.sum(table == 0)):
            zeros[name] = hits
        if table.size > _MANY_ENTRIES:
            large[name] = table.size
    return BuildingReport(
        zero_probabilities=zeros,
        unconnected=_unconnected(network),
        one_state=tuple(n for n, s in network.domain.states.items() if len(s) == 1),
        against_time=_against(network, causal_order),
        large_tables=large,
        shared_children=_shared(network),
    )


def _unconnected(network: Network) -> tuple[str, ...]:
    joined = {node for edge in network.edges for node in edge}
    return tuple(name for name in network.names if name not in joined)


def _against(network: Network, tiers: Iterable[Iterable[str]]) -> tuple[tuple[str, str], ...]:
    rank: dict[str, int] = {}
    for number, tier in enumerate(tiers):
        for name in (tier,) if isinstance(tier, str) else tier:
            if name not in network.parents:
                raise ValueError(f"{network.owner}: causal_order must name nodes, got {name!r}")
            rank[name] = number
    return tuple((a, b) for a, b in network.edges if a in rank and b in rank and rank[a] > rank[b])


def _shared(network: Network) -> tuple[tuple[str, str], ...]:
    children: dict[str, set[str]] = {name: set() for name in network.names}
    for parent, child in network.edges:
        children[parent].add(child)
    roots = [n for n in network.names if not network.parents[n] and len(children[n]) > 1]
    return tuple(
        (a, b)
        for at, a in enumerate(roots)
        for b in roots[at + 1 :]
        if len(children[a] & children[b]) > 1
    )
