"""Which pairs are joined: edges removed by tests of conditional independence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from margin.core.types import Bytes, Floats
from margin.native.structure import contingency, partial_correlation
from margin.native.structure.contingency import UNLIMITED
from margin.search.structure._categorical_test import ChiSquaredTest, GTest
from margin.search.structure._fisher_z import FisherZ, z_cut
from margin.search.structure._independence import IndependenceTest
from margin.search.structure._knowledge import Knowledge

Separations = dict[tuple[int, int], tuple[tuple[int, ...], float]]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Undirected graph left over by the tests.

    Parameters
    ----------
    adjacency : ndarray of uint8, shape (p, p)
        Symmetric.
    separators : dict of (i, j) to tuple
        For each removed pair, i < j, the set that made it independent.
    p_values : dict of (i, j) to float
        p-value of the test that removed the pair; the larger, the surer the removal.
    largest_p : ndarray of shape (p, p)
        Upper half: largest p-value of all tests of the pair. Small: a certain edge.
    n_tests, n_skipped : tuple of int
        Tests made, and those with too little data, per size of the conditioning set.
    cut : bool
        Whether the tests were used up before the search was over: edges it had not come to stay.
    """

    adjacency: Bytes
    separators: dict[tuple[int, int], tuple[int, ...]]
    p_values: dict[tuple[int, int], float] = field(default_factory=dict)
    largest_p: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    n_tests: tuple[int, ...] = ()
    n_skipped: tuple[int, ...] = ()
    cut: bool = False

    def removals(self) -> list[tuple[int, int]]:
        """Removed pairs, the surest first: by decreasing p-value (graphical.35)."""
        return sorted(self.p_values, key=lambda pair: (-self.p_values[pair], pair))


def stable_skeleton(
    test: IndependenceTest,
    alpha: float,
    *,
    max_level: int | None = None,
    max_tests: int = UNLIMITED,
    knowledge: Knowledge | None = None,
    start: Bytes | None = None,
    candidates: Bytes | None = None,
    n_threads: int = 1,
) -> Skeleton:
    """Skeleton by tests with growing conditioning sets among the neighbours (graphical.34).

    All tests of one size are made on the neighbourhoods at the start of the round and edges go at
    its end, so the answer depends neither on the order of the columns nor on the number of threads
    (graphical.35). Counts and partial correlations run compiled, other tests one by one. After
    ``max_tests`` tests the search ends with the sets of the size it has reached.

    With ``candidates`` this is the second search of learners with hidden common causes: it begins
    with the edges of ``start``, and the sets are taken from the rows of ``candidates`` instead of
    the neighbours, but for those within the neighbours, which the first search has tried.
    """
    p = len(test.names)
    known = Knowledge.none(p) if knowledge is None else knowledge
    level = p if max_level is None else max_level
    start = np.ascontiguousarray(known.possible if start is None else start)
    kept = np.ascontiguousarray(known.kept)
    if isinstance(test, FisherZ):
        record = partial_correlation.gaussian_skeleton(
            test.data.correlation,
            test.data.n_rows,
            z_cut(alpha),
            level,
            start,
            kept,
            n_threads,
            max_tests,
            candidates,
        )
        return _from_record(*record)
    if isinstance(test, GTest | ChiSquaredTest):
        data = test.data.compressed()
        record = contingency.categorical_skeleton(
            data.codes,
            data.cards,
            data.weight,
            alpha,
            test.statistic,
            test.aggregate,
            test.min_count,
            level,
            start,
            kept,
            n_threads,
            max_tests,
            candidates,
        )
        return _from_record(*record)
    if candidates is not None:
        return _further(test, alpha, level, max_tests, start, kept, candidates)
    return _one_by_one(test, alpha, level, max_tests, start, kept, stable=True)


def sequential_skeleton(
    test: IndependenceTest,
    alpha: float,
    *,
    max_level: int | None = None,
    max_tests: int = UNLIMITED,
    knowledge: Knowledge | None = None,
) -> Skeleton:
    """The same search with every edge removed at once, as first published: depends on the order."""
    p = len(test.names)
    known = Knowledge.none(p) if knowledge is None else knowledge
    level = p if max_level is None else max_level
    return _one_by_one(test, alpha, level, max_tests, known.possible, known.kept, stable=False)


def exhaustive_skeleton(
    test: IndependenceTest,
    alpha: float,
    *,
    max_level: int | None = None,
    max_tests: int = UNLIMITED,
    knowledge: Knowledge | None = None,
) -> Skeleton:
    """Skeleton by tests given all subsets of all other nodes, smallest first (graphical.33)."""
    p = len(test.names)
    known = Knowledge.none(p) if knowledge is None else knowledge
    limit = p - 2 if max_level is None else min(max_level, p - 2)

    def sets(i: int, j: int, level: int, _: Bytes) -> Iterable[tuple[int, ...]]:
        others = [c for c in range(p) if c not in (i, j)]
        return combinations(others, level) if i < j else ()

    return _rounds(test, alpha, limit, max_tests, known.possible, known.kept, True, sets)


def _one_by_one(
    test: IndependenceTest,
    alpha: float,
    max_level: int,
    max_tests: int,
    start: Bytes,
    kept: Bytes,
    *,
    stable: bool,
) -> Skeleton:
    def sets(i: int, j: int, level: int, near: Bytes) -> Iterable[tuple[int, ...]]:
        if level == 0:
            return [()] if i < j else ()
        mine = [c for c in np.flatnonzero(near[i]).tolist() if c != j]
        tried = combinations(mine, level)
        if i < j:
            return tried
        # The sets among the neighbours of the other end were tried from there; they may change
        # while this iterator is under way.
        theirs = near[j].copy()
        return (s for s in tried if not theirs[list(s)].all())

    return _rounds(test, alpha, max_level, max_tests, start, kept, stable, sets)


def _further(
    test: IndependenceTest,
    alpha: float,
    max_level: int,
    max_tests: int,
    start: Bytes,
    kept: Bytes,
    candidates: Bytes,
) -> Skeleton:
    pool = candidates | start

    def sets(i: int, j: int, level: int, _: Bytes) -> Iterable[tuple[int, ...]]:
        mine = [c for c in np.flatnonzero(pool[i]).tolist() if c != j]
        for chosen in combinations(mine, level):
            given = list(chosen)
            tried = start[i, given].all() or start[j, given].all()
            if not tried and (i < j or not pool[j, given].all()):
                yield chosen

    return _rounds(test, alpha, max_level, max_tests, start, kept, True, sets, pool)


def _rounds(
    test: IndependenceTest,
    alpha: float,
    max_level: int,
    max_tests: int,
    start: Bytes,
    kept: Bytes,
    stable: bool,
    sets: Callable[[int, int, int, Bytes], Iterable[tuple[int, ...]]],
    pool: Bytes | None = None,
) -> Skeleton:
    p = len(start)
    now, largest = start.copy(), np.zeros((p, p))
    separated: Separations = {}
    tests: list[int] = []
    skipped: list[int] = []
    cut = False
    for level in range(max_level + 1):
        if cut or not now.any() or ((now if pool is None else pool).sum(axis=1) < level + 1).all():
            break
        near = now.copy()
        n_tests, missed = 0, 0
        for upwards in (True, False):
            pairs = [(i, j) for i, j in np.argwhere(near).tolist() if (i < j) == upwards]
            for i, j in pairs:
                low, high = min(i, j), max(i, j)
                if kept[i, j] or (low, high) in separated:
                    continue
                for given in sets(i, j, level, near if stable else now):
                    cut = sum(tests) + n_tests >= max_tests
                    if cut:
                        break
                    result = test(i, j, given)
                    n_tests += 1
                    missed += not result.reliable
                    if not result.reliable:
                        continue
                    largest[low, high] = max(largest[low, high], result.p_value)
                    if result.p_value > alpha:
                        separated[low, high] = tuple(given), result.p_value
                        if not stable:
                            now[i, j] = now[j, i] = 0
                        break
        for i, j in separated:
            now[i, j] = now[j, i] = 0
        tests.append(n_tests)
        skipped.append(missed)
    return Skeleton(
        now,
        {pair: given for pair, (given, _) in separated.items()},
        {pair: p_value for pair, (_, p_value) in separated.items()},
        largest,
        tuple(tests),
        tuple(skipped),
        cut,
    )


def _from_record(adjacency: Bytes, largest: Floats, record: dict[str, Any]) -> Skeleton:
    return Skeleton(
        adjacency,
        record["separators"],
        record["p_values"],
        largest,
        tuple(record["tests"]),
        tuple(record["skipped"]),
        record["cut"],
    )
