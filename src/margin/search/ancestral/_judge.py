"""Single tests within a search: counted, limited, and never made twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from margin.search.structure._independence import IndependenceTest, TestResult


@dataclass
class Judge:
    """What a search asks of a test besides the skeleton.

    Parameters
    ----------
    test : IndependenceTest
    alpha : float
        Level: independent is what has a larger p-value.
    left : int
        Tests that may still be made.
    """

    test: IndependenceTest
    alpha: float
    left: int
    cut: bool = False
    sizes: Counter[int] = field(default_factory=Counter)
    skipped: Counter[int] = field(default_factory=Counter)
    _known: dict[tuple[int, int, tuple[int, ...]], TestResult] = field(default_factory=dict)

    def separation(self, i: int, j: int, given: Iterable[int]) -> float | None:
        """p-value if the set makes i and j independent, else None; also when tests are used up."""
        key = (min(i, j), max(i, j), tuple(sorted(given)))
        if key not in self._known:
            if self.left <= 0:
                self.cut = True
                return None
            self.left -= 1
            self._known[key] = result = self.test(*key)
            self.sizes[len(key[2])] += 1
            self.skipped[len(key[2])] += not result.reliable
        result = self._known[key]
        return result.p_value if result.reliable and result.p_value > self.alpha else None

    def smallest(
        self, i: int, j: int, within: Iterable[int], smallest: int = 0
    ) -> tuple[tuple[int, ...], float] | None:
        """First of the smallest subsets that make i and j independent, with its p-value."""
        members = sorted(set(within) - {i, j})
        for size in range(smallest, len(members) + 1):
            for given in combinations(members, size):
                p_value = self.separation(i, j, given)
                if p_value is not None:
                    return given, p_value
        return None

    def all_sets(
        self, i: int, j: int, pools: Iterable[Iterable[int]], sizes: range
    ) -> Iterator[frozenset[int]]:
        """Every set of these sizes within one of the pools that makes i and j independent."""
        seen: set[tuple[int, ...]] = set()
        for pool in pools:
            members = sorted(set(pool) - {i, j})
            for size in sizes:
                for given in combinations(members, size):
                    if given not in seen and self.separation(i, j, given) is not None:
                        yield frozenset(given)
                    seen.add(given)
