"""Arrowheads for a skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from margin.core.types import Bytes
from margin.search.structure._knowledge import Knowledge


@dataclass(frozen=True, eq=False)
class Orientation:
    """A partially directed graph and the doubts about it.

    Parameters
    ----------
    adjacency : ndarray of uint8, shape (p, p)
        1 at (parent, child); both ways where the direction is open.
    conflicts : tuple of (i, j, k)
        Common effects i -> j <- k that earlier arrowheads or known arcs contradict; not drawn.
    """

    adjacency: Bytes
    conflicts: tuple[tuple[int, int, int], ...] = ()


@dataclass
class _Marks:
    """Edges by node while arrowheads are set."""

    parents: list[set[int]]
    children: list[set[int]]
    open: list[set[int]] = field(default_factory=list)

    @classmethod
    def of(cls, graph: Bytes) -> _Marks:
        arrow, both = graph & (1 - graph.T), graph & graph.T
        return cls(
            [set(np.flatnonzero(arrow[:, j]).tolist()) for j in range(len(graph))],
            [set(np.flatnonzero(arrow[j]).tolist()) for j in range(len(graph))],
            [set(np.flatnonzero(both[j]).tolist()) for j in range(len(graph))],
        )

    def joined(self, i: int, j: int) -> bool:
        return j in self.open[i] or j in self.parents[i] or j in self.children[i]

    def reaches(self, source: int, target: int) -> bool:
        front, seen = [source], {source}
        while front:
            fresh = self.children[front.pop()] - seen
            if target in fresh:
                return True
            seen |= fresh
            front.extend(fresh)
        return False

    def can_point(self, tail: int, head: int) -> bool:
        """Whether the edge is, or may become, tail -> head without a directed cycle."""
        if head in self.children[tail]:
            return True
        return head in self.open[tail] and not self.reaches(head, tail)

    def point(self, tail: int, head: int) -> None:
        self.open[tail].discard(head)
        self.open[head].discard(tail)
        self.children[tail].add(head)
        self.parents[head].add(tail)

    def forced(self, i: int, k: int) -> bool:
        """Whether i - k must become i -> k, by one of the four rules."""
        if any(c != k and not self.joined(c, k) for c in self.parents[i]):
            return True
        if self.children[i] & self.parents[k]:
            return True
        before = sorted(self.open[i] & self.parents[k])
        if any(not self.joined(c, d) for a, c in enumerate(before) for d in before[a + 1 :]):
            return True
        return any(
            not self.joined(c, k)
            for last in self.parents[k]
            if self.joined(i, last)
            for c in (self.parents[last] & self.open[i]) - {k}
        )

    def matrix(self) -> Bytes:
        graph = np.zeros((len(self.parents),) * 2, dtype=np.uint8)
        for i, (after, near) in enumerate(zip(self.children, self.open, strict=True)):
            graph[i, list(after | near)] = 1
        return graph


def orient(
    skeleton: Bytes,
    separators: Mapping[tuple[int, int], tuple[int, ...]],
    knowledge: Knowledge | None = None,
) -> Orientation:
    """Direct the edges that background knowledge and separating sets decide (graphical.36).

    First known arcs; then, for every pair i, k that is not joined but has the common neighbour j,
    i -> j <- k unless j is in their separating set; then :func:`propagate`. Common effects are
    taken up in order of the nodes' numbers, and one that contradicts an arrow is recorded and left
    out.

    Examples
    --------
    >>> import numpy as np
    >>> edges = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=np.uint8)
    >>> orient(edges, {(0, 1): ()}).adjacency.tolist()
    [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    >>> orient(edges, {(0, 1): (2,)}).adjacency.tolist()
    [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    """
    p = len(skeleton)
    graph = skeleton.copy()
    if knowledge is not None:
        never = knowledge.forbidden & (1 - knowledge.forbidden.T)
        graph &= 1 - (never | knowledge.required.T)
    marks = _Marks.of(graph)
    conflicts = []
    for j in range(p):
        near = np.flatnonzero(skeleton[j]).tolist()
        for a, i in enumerate(near):
            for k in near[a + 1 :]:
                between = separators.get((i, k))
                if skeleton[i, k] or between is None or j in between:
                    continue
                if marks.can_point(i, j) and marks.can_point(k, j):
                    marks.point(i, j)
                    marks.point(k, j)
                else:
                    conflicts.append((i, j, k))
    _spread(marks)
    return Orientation(marks.matrix(), tuple(conflicts))


def propagate(graph: Bytes) -> Bytes:
    """Direct the edges whose other direction would make a new common effect or a cycle.

    Four rules, until none applies: (1) i -> j - k, i and k apart: j -> k; (2) i -> j -> k and
    i - k: i -> k; (3) i - j, i - k, i - l, j -> l, k -> l, j and k apart: i -> l; (4) i - j, i - k,
    i - l, k -> l, l -> j, k and j apart: i -> j. The fourth is needed with known arcs. An arrow
    that would close a cycle, as contradictory tests can ask for, is not drawn.

    Examples
    --------
    >>> import numpy as np
    >>> propagate(np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]], dtype=np.uint8)).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    marks = _Marks.of(graph)
    _spread(marks)
    return marks.matrix()


def _spread(marks: _Marks) -> None:
    changed = True
    while changed:
        changed = False
        for i in range(len(marks.open)):
            for k in sorted(marks.open[i]):
                if marks.forced(i, k) and marks.can_point(i, k):
                    marks.point(i, k)
                    changed = True
