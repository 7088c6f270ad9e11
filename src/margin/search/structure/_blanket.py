"""Parents and children of a node by tests: the first half of max-min hill climbing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from margin.core.types import Bytes
from margin.native.structure.contingency import UNLIMITED
from margin.search.structure._independence import IndependenceTest
from margin.search.structure._knowledge import Knowledge

# A test that says nothing: the strongest association, so that it separates nobody.
_UNTESTED = (0.0, -float("inf"))


def max_min_parents_children(
    test: IndependenceTest,
    alpha: float,
    *,
    max_level: int = 3,
    max_tests: int = UNLIMITED,
    knowledge: Knowledge | None = None,
) -> tuple[Bytes, int]:
    """Symmetric matrix of the pairs that are each among the other's parents and children.

    For every node candidates join by the largest of their smallest associations given subsets of
    the present candidates, and leave when some subset makes them independent; association is the
    p-value, ties broken by the statistic. Unreliable tests separate nothing: a pair with too few
    rows for a test without condition is never tested again. After ``max_tests`` tests no others are
    made, and separate nothing. Also returns the number of tests.
    """
    p = len(test.names)
    known = Knowledge.none(p) if knowledge is None else knowledge
    seen: dict[tuple[int, int, tuple[int, ...]], tuple[float, float]] = {}

    def association(i: int, j: int, given: tuple[int, ...]) -> tuple[float, float]:
        """(p-value, minus statistic); smaller is stronger."""
        key = (min(i, j), max(i, j), given)
        if key not in seen:
            if len(seen) >= max_tests:
                return _UNTESTED
            result = test(key[0], key[1], given)
            seen[key] = (result.p_value, -result.statistic) if result.reliable else _UNTESTED
        return seen[key]

    near = [_candidates(i, known, association, alpha, max_level) for i in range(p)]
    adjacency = np.zeros((p, p), dtype=np.uint8)
    for i in range(p):
        for j in near[i]:
            adjacency[i, j] = i in near[j]
    adjacency |= known.kept
    return adjacency, len(seen)


def _candidates(
    i: int,
    known: Knowledge,
    association: Callable[[int, int, tuple[int, ...]], tuple[float, float]],
    alpha: float,
    max_level: int,
) -> set[int]:
    possible = known.possible[i]
    weakest = {j: association(i, j, ()) for j in np.flatnonzero(possible).tolist()}
    chosen: list[int] = list(np.flatnonzero(known.kept[i]).tolist())
    weakest = {j: v for j, v in weakest.items() if v[0] <= alpha and j not in chosen}
    while weakest:
        best = min(weakest, key=lambda j: (weakest[j], j))
        del weakest[best]
        # Only subsets with the newcomer are new.
        others = sorted(chosen)
        chosen.append(best)
        for j in list(weakest):
            if association(i, j, ()) is _UNTESTED:
                continue
            for size in range(min(max_level, len(chosen))):
                for rest in combinations(others, size):
                    given = tuple(sorted((*rest, best)))
                    weakest[j] = max(weakest[j], association(i, j, given))
                    if weakest[j][0] > alpha:
                        break
                if weakest[j][0] > alpha:
                    del weakest[j]
                    break
    for j in [c for c in chosen if not known.kept[i, c]]:
        others = sorted(c for c in chosen if c != j)
        if association(i, j, ()) is not _UNTESTED and any(
            association(i, j, given)[0] > alpha
            for size in range(min(max_level, len(others)) + 1)
            for given in combinations(others, size)
        ):
            chosen.remove(j)
    return set(chosen)
