"""Walks on which no two nodes that are two steps apart are joined.

A walk may come back to a node where a path may not. For the rules that ask for uncovered paths it
makes no difference: their proofs follow an arrow from one unshielded triple to the next and never
look at more than one at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from margin.graphs.bits import _sets

Clear = Callable[[int, int, int], bool]


def uncovered_reach(
    ahead: list[int], joined: list[int], start: int, second: int, clear: Clear
) -> int:
    """Nodes that uncovered walks along ``ahead`` reach whose first step is to ``second``."""
    entered = [0] * len(ahead)  # entered[j]: nodes from which a walk has come to j
    entered[second] = 1 << start
    waiting, reached = [(start, second)], 1 << second
    while waiting:
        before, node = waiting.pop()
        for after in _sets.members(ahead[node] & ~joined[before] & ~(1 << before)):
            if entered[after] >> node & 1 or not clear(before, node, after):
                continue
            entered[after] |= 1 << node
            reached |= 1 << after
            waiting.append((node, after))
    return reached


def uncovered_round(
    steps: list[int], joined: list[int], a: int, b: int, clear: Clear
) -> list[tuple[int, int]]:
    """Edges of a shortest closed walk through the edge a - b without chords between neighbours.

    Empty where there is none. All triples on it are unshielded, those around a and b included.
    """
    origin: dict[tuple[int, int], tuple[int, int]] = {}
    waiting: list[tuple[int, int]] = []
    for second in _sets.members(steps[a] & ~joined[b] & ~(1 << b)):
        if clear(b, a, second):
            origin[a, second] = (b, a)
            waiting.append((a, second))
    for before, node in waiting:
        for after in _sets.members(steps[node] & ~joined[before] & ~(1 << before)):
            step = (node, after)
            if step in origin or not clear(before, node, after):
                continue
            origin[step] = (before, node)
            if after == b and not joined[node] >> a & 1 and clear(node, b, a):
                return _traced(origin, step, (b, a))
            waiting.append(step)
    return []


def _traced(
    origin: dict[tuple[int, int], tuple[int, int]], last: tuple[int, int], first: tuple[int, int]
) -> list[tuple[int, int]]:
    edges = [last]
    while edges[-1] != first:
        edges.append(origin[edges[-1]])
    return edges
