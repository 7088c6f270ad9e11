"""Topological order, and the cycle that stands in its way."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from margin.graphs.bits import _sets


def topological_order(parents: Sequence[int]) -> list[int]:
    """Nodes with every parent before its children; the smallest number first where free.

    Shorter than ``parents`` exactly when there is a directed cycle.

    Examples
    --------
    >>> topological_order([0b100, 0b001, 0b000])  # 2 -> 0 -> 1
    [2, 0, 1]
    >>> topological_order([0b10, 0b01])
    []
    """
    n = len(parents)
    missing = [bits.bit_count() for bits in parents]
    children = transposed(parents)
    ready = [i for i in range(n) if not missing[i]]
    heapify(ready)
    order: list[int] = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for child in _sets.members(children[node]):
            missing[child] -= 1
            if not missing[child]:
                heappush(ready, child)
    return order


def transposed(steps: Sequence[int]) -> list[int]:
    """Bit sets of the reversed edges.

    Examples
    --------
    >>> transposed([0b110, 0, 0])
    [0, 1, 1]
    """
    reverse = [0] * len(steps)
    for node, targets in enumerate(steps):
        for target in _sets.members(targets):
            reverse[target] |= 1 << node
    return reverse


def find_cycle(parents: Sequence[int]) -> list[int]:
    """Nodes of one directed cycle, each pointing to the next and the last to the first.

    Examples
    --------
    >>> find_cycle([0b10, 0b01])  # 0 <-> 1
    [0, 1]
    >>> find_cycle([0, 1])
    []
    """
    left = set(range(len(parents))) - set(topological_order(parents))
    if not left:
        return []
    alive = _sets.mask(left)
    # Whatever is left has a parent that is left: walking up must close a circle.
    node, seen = min(left), dict[int, int]()
    walk: list[int] = []
    while node not in seen:
        seen[node] = len(walk)
        walk.append(node)
        node = next(_sets.members(parents[node] & alive))
    cycle = walk[seen[node] :][::-1]
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]
