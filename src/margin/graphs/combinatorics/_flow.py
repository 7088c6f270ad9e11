"""Largest flow from a source to a sink, and the cheapest cut between them."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.graphs._types import Edge, Node
from margin.graphs.kinds._checks import checked_edges, checked_nodes, ends_of


@dataclass(frozen=True)
class Flow:
    """A largest flow and a cheapest cut; both have the same value.

    Parameters
    ----------
    value : float
        What reaches the sink, which is what the cut edges can carry.
    flow : dict of edge to float
        What every edge carries.
    source_side, sink_side : tuple of nodes
        The two parts of the cut.
    cut : tuple of edges
        Edges from the source's side to the sink's.
    """

    value: float
    flow: dict[Edge, float]
    source_side: tuple[Node, ...]
    sink_side: tuple[Node, ...]
    cut: tuple[Edge, ...]


def maximum_flow(capacities: Mapping[Edge, float], source: Node, sink: Node) -> Flow:
    r"""Largest flow and smallest cut of a network with real capacities (graphs.16).

    .. math:: \max_f \sum_b f_{sb} - \sum_a f_{as} \quad\text{with } 0 \le f_{ab} \le c_{ab},
        \text{ what enters a node leaving it}
        \; = \; \min_{S \ni s,\, T \ni t} \sum_{a \in S,\, b \in T} c_{ab}

    Parameters
    ----------
    capacities : mapping of (from, to) to float
        What each edge can carry, at least 0; infinite where nothing limits it. List an undirected
        edge in both directions.
    source, sink : node
        Where the flow begins and ends.

    Returns
    -------
    Flow
        Value, flow on every edge, and the cut nearest to the source.

    Notes
    -----
    Dinic's method: flow along shortest free paths until there are none of that length, then the
    next length. At most :math:`O(n^2 m)` steps for any real capacities; sums are rounded, never
    the number of steps. Whole-number capacities on large graphs are quicker in
    :func:`scipy.sparse.csgraph.maximum_flow`.

    Examples
    --------
    >>> network = {("s", "a"): 0.5, ("s", "b"): 1.0, ("a", "t"): 2.0, ("b", "a"): 0.25}
    >>> best = maximum_flow(network, "s", "t")
    >>> best.value, best.cut, best.source_side
    (0.75, (('s', 'a'), ('b', 'a')), ('s', 'b'))
    """
    if not isinstance(capacities, Mapping):
        raise _refusal("capacities", "a mapping of edges to numbers", type(capacities).__name__)
    index = checked_nodes("maximum_flow", ends_of(capacities))
    edges = checked_edges("maximum_flow", "capacities", capacities, index)
    limits = [_limit(edge, capacities[edge]) for edge in capacities]
    for name, node in (("source", source), ("sink", sink)):
        if node not in index:
            raise _refusal(name, "a node of the network", repr(node))
    if source == sink:
        raise _refusal("source and sink", "different", repr(source))
    residual = _Residual(len(index), [(index[a], index[b]) for a, b in edges], limits)
    start, end = index[source], index[sink]
    if np.inf in limits and residual.reaches(start, end, at_least=np.inf):
        raise _refusal("capacities", "finite somewhere on every way to the sink", "inf on one")
    residual.saturate(start, end)
    names, near = tuple(index), residual.levels(start)
    side = {node for node in names if near[index[node]] >= 0}
    cut = tuple((a, b) for a, b in edges if a in side and b not in side)
    return Flow(
        value=float(sum(capacities[edge] for edge in cut)),
        flow=dict(zip(edges, residual.flows(), strict=True)),
        source_side=tuple(node for node in names if node in side),
        sink_side=tuple(node for node in names if node not in side),
        cut=cut,
    )


def _refusal(parameter: str, requirement: str, got: str) -> ValueError:
    return ValueError(f"maximum_flow: {parameter} must be {requirement}, got {got}")


def _limit(edge: Edge, capacity: Any) -> float:
    try:
        limit = float(capacity)
    except (TypeError, ValueError):
        raise _refusal(f"capacity of {edge!r}", "a number", repr(capacity)) from None
    if not limit >= 0.0:
        raise _refusal(f"capacity of {edge!r}", "at least 0", repr(capacity))
    return limit


class _Residual:
    """What every edge can still carry: arc 2 i is edge i, arc 2 i + 1 takes its flow back."""

    def __init__(self, n: int, edges: list[tuple[int, int]], limits: list[float]) -> None:
        self._target = [end for a, b in edges for end in (b, a)]
        self._left = [room for limit in limits for room in (limit, 0.0)]
        self._sent = [0.0] * len(edges)
        self._arcs: list[list[int]] = [[] for _ in range(n)]
        for i, (a, b) in enumerate(edges):
            self._arcs[a].append(2 * i)
            self._arcs[b].append(2 * i + 1)

    def flows(self) -> list[float]:
        """What every edge carries."""
        return list(self._sent)

    def levels(self, start: int, at_least: float = 0.0) -> list[int]:
        """Arcs from ``start`` to every node along free arcs; -1 where none leads."""
        level = [-1] * len(self._arcs)
        level[start] = 0
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for arc in self._arcs[node]:
                room = self._left[arc]
                if level[self._target[arc]] < 0 and room > 0.0 and room >= at_least:
                    level[self._target[arc]] = level[node] + 1
                    waiting.append(self._target[arc])
        return level

    def reaches(self, start: int, end: int, at_least: float) -> bool:
        """Whether a way of arcs with that much room leads to ``end``."""
        return self.levels(start, at_least)[end] >= 0

    def saturate(self, start: int, end: int) -> None:
        """Send what can be sent, shortest ways first."""
        while True:
            level = self.levels(start)
            if level[end] < 0:
                return
            waiting = [list(reversed(arcs)) for arcs in self._arcs]
            while path := self._path(start, end, level, waiting):
                room = min(self._left[arc] for arc in path)
                for arc in path:
                    self._send(arc, room)

    def _path(self, start: int, end: int, level: list[int], waiting: list[list[int]]) -> list[int]:
        """Free arcs to ``end``, each one level on; arcs that lead nowhere leave ``waiting``."""
        path: list[int] = []
        node = start
        while node != end:
            while waiting[node]:
                arc = waiting[node][-1]
                if self._left[arc] > 0.0 and level[self._target[arc]] == level[node] + 1:
                    break
                waiting[node].pop()
            if waiting[node]:
                path.append(waiting[node][-1])
                node = self._target[path[-1]]
            elif path:
                back = path.pop()
                node = self._target[back ^ 1]
                waiting[node].pop()
            else:
                return []
        return path

    def _send(self, arc: int, amount: float) -> None:
        self._left[arc] -= amount
        self._left[arc ^ 1] += amount
        self._sent[arc // 2] += -amount if arc & 1 else amount
