"""Nodes that may belong to a set that separates two others where causes are hidden."""

from __future__ import annotations

import numpy as np

from margin.core.types import Bytes
from margin.graphs import Marks


def possible_d_sep(marks: Marks) -> Bytes:
    """Matrix with 1 at (x, z) where z may be needed to separate x from another node.

    A walk leads from x to z on which every inner node is a collider, or joined to the others of its
    triple: its neighbours on the walk are then joined too.

    Examples
    --------
    >>> from margin.graphs import PAG, Marks
    >>> possible_d_sep(Marks.of(PAG(["a o-> b", "b <-o c", "c o-o d"]))).tolist()
    [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]
    """
    p = len(marks.heads)
    joined, heads = marks.joined(), marks.heads
    within = np.zeros((p, p), dtype=np.uint8)
    for x in range(p):
        entered = [0] * p  # entered[b]: nodes from which a walk has come to b
        waiting = [(x, b) for b in range(p) if joined[x] >> b & 1]
        for _, b in waiting:
            entered[b] = 1 << x
        while waiting:
            a, b = waiting.pop()
            onwards = joined[b] & joined[a]
            if heads[b] >> a & 1:
                onwards |= heads[b]
            onwards &= ~(1 << a)
            while onwards:
                low = onwards & -onwards
                onwards ^= low
                c = low.bit_length() - 1
                if not entered[c] >> b & 1:
                    entered[c] |= 1 << b
                    waiting.append((b, c))
        within[x] = [row != 0 for row in entered]
        within[x, x] = 0
    return within
