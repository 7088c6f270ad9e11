"""Whether a node stands in what separates two others: by one set, or by the vote of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from margin.core.types import Bytes
from margin.graphs import Marks
from margin.search.ancestral._judge import Judge
from margin.search.structure._knowledge import Knowledge

COLLIDERS = ("ordinary", "conservative", "majority")
Pair = tuple[int, int]
Triple = tuple[int, int, int]


@dataclass
class Colliders:
    """Verdicts on nodes between two that are not joined.

    Parameters
    ----------
    judge : Judge
    rule : {"ordinary", "conservative", "majority"}
        The set that removed the edge; all sets of neighbours that separate, which must agree; or
        their majority.
    separators : dict of (i, j) to tuple
        What removed the edges.
    joined : list of int
        Neighbours as bit sets.
    max_level : int
        Largest set.
    pools : ndarray of uint8, optional
        Rows with further candidates, for pairs that no neighbours separate.
    """

    judge: Judge
    rule: str
    separators: dict[Pair, tuple[int, ...]]
    joined: Sequence[int]
    max_level: int
    pools: Bytes | None = None
    _sets: dict[Pair, list[frozenset[int]]] = field(default_factory=dict)

    def verdict(self, i: int, k: int, j: int) -> bool | None:
        """Whether k is a common effect on the way between i and j; None: there is no telling."""
        pair = (min(i, j), max(i, j))
        between = self.separators.get(pair)
        if between is None:
            return None
        if self.rule == "ordinary":
            return k not in between
        sets = self._separating(pair, len(between))
        if not sets:
            return None
        share = sum(k in given for given in sets) / len(sets)
        if self.rule == "conservative":
            return None if 0 < share < 1 else share == 0
        return None if share == 0.5 else share < 0.5

    def _separating(self, pair: Pair, size: int) -> list[frozenset[int]]:
        """All separating sets of neighbours; else those of this size among the candidates."""
        if pair not in self._sets:
            ends = [_members(self.joined[node]) for node in pair]
            sets = list(self.judge.all_sets(*pair, ends, range(self.max_level + 1)))
            if not sets and self.pools is not None:
                rows = [self.pools[node].nonzero()[0].tolist() for node in pair]
                sets = list(self.judge.all_sets(*pair, rows, range(size, size + 1)))
            self._sets[pair] = sets
        return self._sets[pair]


def _members(bits: int) -> list[int]:
    return [i for i in range(bits.bit_length()) if bits >> i & 1]


def direct_known(marks: Marks, knowledge: Knowledge) -> None:
    """Arrowheads where an arc is forbidden, and ``-->`` where one is required."""
    joined = marks.joined()
    for i, j in np.argwhere(knowledge.forbidden).tolist():
        if joined[i] >> j & 1:
            marks.set_heads(i, 1 << j)
    for i, j in np.argwhere(knowledge.required).tolist():
        if joined[i] >> j & 1:
            marks.set_tails(i, 1 << j)
            marks.set_heads(j, 1 << i)


def direct_colliders(
    marks: Marks, colliders: Colliders, triples: Sequence[Triple]
) -> tuple[list[Triple], list[Triple]]:
    """Arrowheads of common effects; the unclear triples, and those that known marks contradict."""
    unclear: list[Triple] = []
    conflicts: list[Triple] = []
    for i, k, j in triples:
        verdict = colliders.verdict(i, k, j)
        if verdict is None:
            unclear.append((i, k, j))
        elif verdict and marks.tails[k] & (1 << i | 1 << j):
            conflicts.append((i, k, j))
        elif verdict:
            marks.set_heads(k, 1 << i | 1 << j)
    return unclear, conflicts
