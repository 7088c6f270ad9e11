"""Fast causal inference."""

from __future__ import annotations

from margin.graphs import Marks, Rules
from margin.graphs.bits._matrices import rows_of_matrix
from margin.search.ancestral._ancestral_search import (
    AncestralSearch,
    AncestralSettings,
    Evidence,
    for_skeleton,
)
from margin.search.ancestral._colliders import Colliders, direct_colliders, direct_known
from margin.search.ancestral._judge import Judge
from margin.search.ancestral._possible_d_sep import possible_d_sep
from margin.search.structure._independence import IndependenceTest
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._skeleton import stable_skeleton


def fast_causal_inference(
    test: IndependenceTest, settings: AncestralSettings, knowledge: Knowledge | None = None
) -> AncestralSearch:
    """Partial ancestral graph by tests: two searches for edges, then the rules of orientation.

    The second search looks for separating sets beyond the neighbours, among nodes that colliders
    lead to: with hidden common causes the neighbours of two nodes need not separate them.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> from margin.search import Oracle
    >>> truth = DAG([("u", "x"), ("u", "y"), ("a", "x"), ("b", "y")])
    >>> print(fast_causal_inference(Oracle(truth, latent="u"), AncestralSettings()).graph)
    x <-> y
    a o-> x
    b o-> y
    """
    p = len(test.names)
    known = Knowledge.none(p) if knowledge is None else knowledge
    level = p if settings.max_level is None else settings.max_level
    first = stable_skeleton(
        test,
        settings.alpha,
        max_level=settings.max_level,
        max_tests=settings.max_tests,
        knowledge=for_skeleton(known),
        n_threads=settings.n_threads,
    )
    evidence = Evidence.of(first)
    judge = Judge(test, settings.alpha, settings.max_tests - evidence.n_tests, evidence.cut)
    joined = rows_of_matrix(first.adjacency)
    colliders = Colliders(judge, settings.colliders, evidence.separators, joined, level)
    marks = Marks.open(joined)
    direct_known(marks, known)
    direct_colliders(marks, colliders, list(marks.unshielded()))

    pools = possible_d_sep(marks)
    adjacency = first.adjacency
    if (pools.sum(axis=1) > adjacency.sum(axis=1)).any() and not evidence.cut and judge.left > 0:
        second = stable_skeleton(
            test,
            settings.alpha,
            max_level=settings.max_level,
            max_tests=judge.left,
            knowledge=for_skeleton(known),
            start=adjacency,
            candidates=pools,
            n_threads=settings.n_threads,
        )
        evidence.add(second)
        judge.left -= sum(second.n_tests)
        adjacency = second.adjacency

    joined = rows_of_matrix(adjacency)
    n_later = int(first.adjacency.sum() - adjacency.sum()) // 2
    colliders = Colliders(judge, settings.colliders, evidence.separators, joined, level, pools)
    marks = Marks.open(joined)
    direct_known(marks, known)
    unclear, conflicts = direct_colliders(marks, colliders, list(marks.unshielded()))

    def decide(paths: list[tuple[int, ...]]) -> bool | None:
        if settings.colliders == "ordinary":
            return colliders.verdict(paths[0][0], paths[0][-2], paths[0][-1])
        verdicts = {colliders.verdict(path[0], path[-2], path[-1]) for path in paths}
        return verdicts.pop() if len(verdicts) == 1 else None

    Rules(decide, frozenset(unclear), settings.selection).close(marks)
    return evidence.summary(test.names, marks, judge, n_later, unclear, conflicts)
