"""What searches for graphs with hidden common causes are told, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.graphs import PAG, Marks
from margin.native.structure.contingency import UNLIMITED
from margin.search.ancestral._judge import Judge
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._skeleton import Skeleton

Triple = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class AncestralSettings:
    """How such a search is made.

    Parameters
    ----------
    alpha : float
        Level of the tests.
    colliders : {"ordinary", "conservative", "majority"}
        How it is decided whether a node is a common effect.
    selection : bool
        Whether rows may have been selected by what the columns cause.
    max_level : int, optional
        Largest conditioning set.
    max_tests : int
        Most tests.
    n_threads : int
        Does not change the answer.
    """

    alpha: float = 0.05
    colliders: str = "ordinary"
    selection: bool = True
    max_level: int | None = None
    max_tests: int = UNLIMITED
    n_threads: int = 1


@dataclass(frozen=True, eq=False)
class AncestralSearch:
    """A partial ancestral graph and the evidence for it.

    Parameters
    ----------
    graph : PAG
    separators : dict of (i, j) to tuple
        For each removed pair, i < j, the set that made it independent.
    p_values : dict of (i, j) to float
        p-value of the test that removed the pair.
    largest_p : ndarray of shape (p, p)
        Upper half: largest p-value of the tests of the pair in the searches for edges.
    n_tests, n_skipped : tuple of int
        Tests made, and those with too little data, per size of the conditioning set.
    n_later : int
        Edges that were removed after the first skeleton.
    unclear, conflicts : tuple of (i, k, j)
        Triples of which there is no telling whether k is a common effect, and common effects that
        known marks contradict.
    cut : bool
        Whether the tests were used up before the search was over.
    """

    graph: PAG
    separators: dict[tuple[int, int], tuple[int, ...]]
    p_values: dict[tuple[int, int], float]
    largest_p: Floats
    n_tests: tuple[int, ...]
    n_skipped: tuple[int, ...]
    n_later: int
    unclear: tuple[Triple, ...]
    conflicts: tuple[Triple, ...]
    cut: bool


@dataclass
class Evidence:
    """What is known of the pairs so far."""

    separators: dict[tuple[int, int], tuple[int, ...]]
    p_values: dict[tuple[int, int], float]
    largest_p: Floats
    tests: list[tuple[int, ...]]
    skipped: list[tuple[int, ...]]
    cut: bool

    @classmethod
    def of(cls, skeleton: Skeleton) -> Evidence:
        return cls(
            dict(skeleton.separators),
            dict(skeleton.p_values),
            skeleton.largest_p,
            [skeleton.n_tests],
            [skeleton.n_skipped],
            skeleton.cut,
        )

    def add(self, later: Skeleton) -> None:
        """The same after a further search."""
        self.separators.update(later.separators)
        self.p_values.update(later.p_values)
        self.largest_p = np.maximum(self.largest_p, later.largest_p)
        self.tests.append(later.n_tests)
        self.skipped.append(later.n_skipped)
        self.cut = self.cut or later.cut

    def separate(self, i: int, j: int, given: tuple[int, ...], p_value: float) -> None:
        """A pair that a single test has parted."""
        pair = (min(i, j), max(i, j))
        self.separators[pair], self.p_values[pair] = given, p_value

    @property
    def n_tests(self) -> int:
        """Tests of all searches."""
        return sum(map(sum, self.tests))

    def summary(
        self,
        names: tuple[Any, ...],
        marks: Marks,
        judge: Judge,
        n_later: int,
        unclear: list[Triple],
        conflicts: list[Triple],
    ) -> AncestralSearch:
        """The answer."""
        return AncestralSearch(
            graph=marks.graph(names),
            separators=self.separators,
            p_values=self.p_values,
            largest_p=self.largest_p,
            n_tests=_by_size([*self.tests, _dense(judge.sizes)]),
            n_skipped=_by_size([*self.skipped, _dense(judge.skipped)]),
            n_later=n_later,
            unclear=tuple(sorted(unclear)),
            conflicts=tuple(sorted(conflicts)),
            cut=self.cut or judge.cut,
        )


def _dense(counts: dict[int, int]) -> tuple[int, ...]:
    return tuple(counts.get(size, 0) for size in range(max(counts, default=-1) + 1))


def _by_size(counts: list[tuple[int, ...]]) -> tuple[int, ...]:
    sums = [0] * max(map(len, counts))
    for several in counts:
        for size, number in enumerate(several):
            sums[size] += number
    return tuple(sums)


def for_skeleton(knowledge: Knowledge) -> Knowledge:
    """What is known of adjacency: a pair of which neither may cause the other can be joined."""
    return Knowledge(knowledge.required, np.zeros_like(knowledge.forbidden))
