"""Really fast causal inference: no search beyond the neighbours, tests where they matter."""

from __future__ import annotations

from itertools import pairwise

from margin.graphs import Marks, Rules
from margin.graphs.bits._matrices import rows_of_matrix
from margin.search.ancestral._ancestral_search import (
    AncestralSearch,
    AncestralSettings,
    Evidence,
    Triple,
    for_skeleton,
)
from margin.search.ancestral._colliders import Colliders, direct_colliders, direct_known
from margin.search.ancestral._judge import Judge
from margin.search.structure._independence import IndependenceTest
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._skeleton import stable_skeleton

Removals = dict[tuple[int, int], tuple[tuple[int, ...], float]]


def really_fast_causal_inference(
    test: IndependenceTest, settings: AncestralSettings, knowledge: Knowledge | None = None
) -> AncestralSearch:
    """Partial ancestral graph from the first skeleton, whose triples and paths are tested again.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> from margin.search import Oracle
    >>> truth = DAG([("u", "x"), ("u", "y"), ("a", "x"), ("b", "y")])
    >>> print(really_fast_causal_inference(Oracle(truth, latent="u"), AncestralSettings()).graph)
    x <-> y
    a o-> x
    b o-> y
    """
    p = len(test.names)
    known = Knowledge.none(p) if knowledge is None else knowledge
    skeleton = stable_skeleton(
        test,
        settings.alpha,
        max_level=settings.max_level,
        max_tests=settings.max_tests,
        knowledge=for_skeleton(known),
        n_threads=settings.n_threads,
    )
    evidence = Evidence.of(skeleton)
    judge = Judge(test, settings.alpha, settings.max_tests - evidence.n_tests, evidence.cut)
    marks = Marks.open(rows_of_matrix(skeleton.adjacency))
    direct_known(marks, known)
    return _Search(settings, known, evidence, judge, marks).run()


class _Search:
    def __init__(
        self,
        settings: AncestralSettings,
        known: Knowledge,
        evidence: Evidence,
        judge: Judge,
        marks: Marks,
    ) -> None:
        self.settings, self.kept = settings, known.kept
        self.evidence, self.judge, self.marks = evidence, judge, marks
        self.level = len(marks.heads) if settings.max_level is None else settings.max_level
        self.n_later = 0
        self.tested: set[Triple] = set()
        self.directed: set[Triple] = set()
        self.unclear: list[Triple] = []
        self.conflicts: list[Triple] = []

    def run(self) -> AncestralSearch:
        """Colliders and rules, again after every edge that the tests on the way take out."""
        while True:
            self._test_triples()
            self._direct()
            removals: Removals = {}

            def decide(paths: list[tuple[int, ...]], removals: Removals = removals) -> bool | None:
                return self._decide(paths, removals)

            Rules(decide, frozenset(self.unclear), self.settings.selection).close(self.marks)
            if not removals:
                break
            self._remove(removals)
        return self.evidence.summary(
            self.judge.test.names,
            self.marks,
            self.judge,
            self.n_later,
            self.unclear,
            self.conflicts,
        )

    def _test_triples(self) -> None:
        """Both edges of an unshielded triple must stand the test given what parts its ends."""
        while True:
            removals: Removals = {}
            for triple in self.marks.unshielded():
                if triple in self.tested:
                    continue
                i, k, j = triple
                given = set(self.evidence.separators.get((i, j), ()))
                for end in (i, j):
                    self._test_edge(end, k, given - {end, k}, removals)
                self.tested.add(triple)
            if not removals:
                return
            self._remove(removals)

    def _test_edge(self, i: int, j: int, given: set[int], removals: Removals) -> None:
        pair = (min(i, j), max(i, j))
        if pair in removals or self.kept[i, j]:
            return
        if self.judge.separation(i, j, given) is not None:
            parted = self.judge.smallest(i, j, given)
            if parted is not None:
                removals[pair] = parted

    def _remove(self, removals: Removals) -> None:
        for (i, j), (given, p_value) in removals.items():
            self.marks.remove(i, j)
            self.evidence.separate(i, j, given, p_value)
            self.n_later += 1

    def _direct(self) -> None:
        fresh = [t for t in self.marks.unshielded() if t not in self.directed]
        self.directed.update(fresh)
        unclear, conflicts = direct_colliders(self.marks, self._colliders(), fresh)
        standing = set(self.marks.unshielded())
        self.unclear = [t for t in self.unclear if t in standing] + unclear
        self.conflicts = [t for t in self.conflicts if t in standing] + conflicts

    def _colliders(self) -> Colliders:
        return Colliders(
            self.judge,
            self.settings.colliders,
            self.evidence.separators,
            self.marks.joined(),
            self.level,
        )

    def _decide(self, paths: list[tuple[int, ...]], removals: Removals) -> bool | None:
        """Test the edges of the shortest path given what parts its ends; then as with a triple."""
        path = paths[0]
        start, end = min(path[0], path[-1]), max(path[0], path[-1])
        given = self.evidence.separators.get((start, end))
        if given is None:
            return None
        stands = True
        for i, j in pairwise(path):
            pair = (min(i, j), max(i, j))
            parted = removals.get(pair)
            if parted is None and not self.kept[i, j]:
                parted = self.judge.smallest(i, j, given)
            if parted is not None:
                removals[pair] = parted
                stands = False
        if not stands:
            return None
        return self._colliders().verdict(path[0], path[-2], path[-1])
