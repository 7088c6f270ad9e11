"""Paths of colliders that all point at one node."""

from __future__ import annotations

from collections.abc import Iterator

from margin.graphs.ancestral._marks import Marks
from margin.graphs.bits import _sets


def collider_paths(
    marks: Marks, last: int, target: int, joined: list[int], parents: list[int]
) -> Iterator[tuple[int, ...]]:
    """Shortest paths (t, …, last) from nodes t not joined to ``target``, one for each such t.

    Every node of a path but the first has an arrowhead at it from the one before, every node
    between the first and the last also one from the one after, and all of them but the first and
    the last are parents of ``target``; for the last, that and what follows is the caller's affair.
    """
    before = {last: last}
    waiting = [last]
    while waiting:
        fresh: list[int] = []
        for node in waiting:
            for other in _sets.members(marks.heads[node]):
                if other in before or other == target:
                    continue
                if not joined[other] >> target & 1:
                    before[other] = node
                    yield _walked(before, other, last)
                elif parents[target] >> other & 1 and marks.heads[other] >> node & 1:
                    before[other] = node
                    fresh.append(other)
        waiting = fresh


def _walked(before: dict[int, int], start: int, last: int) -> tuple[int, ...]:
    path = [start]
    while path[-1] != last:
        path.append(before[path[-1]])
    return tuple(path)


def visible(marks: Marks, a: int, b: int, joined: list[int], parents: list[int]) -> bool:
    """Whether no hidden common cause can stand behind the edge ``a --> b``."""
    return next(collider_paths(marks, a, b, joined, parents), None) is not None


def discriminating_paths(
    marks: Marks, joined: list[int], parents: list[int]
) -> Iterator[tuple[int, ...]]:
    """Paths (t, …, a, b, c) that tell whether b is a collider, where its mark towards c is open.

    t and c are not joined; every node between t and b is a collider on the path and a parent of c.
    """
    for c in range(len(joined)):
        for a in _sets.members(parents[c]):
            for b in _sets.members(marks.heads[a] & joined[c] & ~(1 << c)):
                if not marks.circles[b] >> c & 1:
                    continue
                for path in collider_paths(marks, a, c, joined, parents):
                    yield (*path, b, c)
