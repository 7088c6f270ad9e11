"""RFCI: as FCI, but for edges that only sets beyond the neighbours would remove."""

import numpy as np
import pytest
from hidden_worlds import BEYOND, hidden_gaussian, random_dag

from margin.graphs import PAG, Marks, pag
from margin.search import (
    AncestralSettings,
    FisherZ,
    Knowledge,
    Moments,
    Oracle,
    fast_causal_inference,
    really_fast_causal_inference,
    stable_skeleton,
)
from margin.search.ancestral._ancestral_search import Evidence
from margin.search.ancestral._judge import Judge
from margin.search.ancestral._rfci import _Search
from margin.search.structure._independence import IndependenceTest, TestResult


@pytest.mark.parametrize("seed", range(25))
def test_with_an_oracle_no_edge_is_missing_and_no_mark_is_wrong(seed):
    dag = random_dag(seed, 8, 0.2 + 0.02 * (seed % 10))
    latent, selection = list(range(seed % 3)), [7] if seed % 4 == 3 else []
    oracle = Oracle(dag, latent, selection)
    graph = really_fast_causal_inference(oracle, AncestralSettings()).graph
    truth = pag(dag, latent, selection)
    assert set(truth.skeleton().edges) <= set(graph.skeleton().edges)
    for a, _, b in truth.edges:
        for pair in ((a, b), (b, a)):
            assert graph.mark(*pair) in (truth.mark(*pair), "circle")


def test_one_edge_too_many_where_neighbours_do_not_separate():
    graph = really_fast_causal_inference(Oracle(BEYOND), AncestralSettings()).graph
    truth = pag(BEYOND)
    assert len(graph.edges) == len(truth.edges) + 1
    assert set(truth.skeleton().edges) < set(graph.skeleton().edges)


class Erratic(IndependenceTest):
    """A test that contradicts itself: its verdicts are drawn, the same each time."""

    def __init__(self, n, seed, share):
        self.names, self.seed, self.share = tuple(range(n)), seed, share

    def __call__(self, i, j, given=()):
        key = [self.seed, min(i, j), max(i, j), *sorted(given)]
        independent = np.random.default_rng(key).random() < self.share
        return TestResult(0.0, 0.0, float(independent))


def test_edges_of_triples_are_tested_again():
    """Every unshielded triple of the answer stands its tests, whatever they say elsewhere."""
    n_later = 0
    for seed in range(12):
        test = Erratic(9, seed, 0.05)
        answer = really_fast_causal_inference(test, AncestralSettings())
        n_later += answer.n_later
        first = int(stable_skeleton(test, 0.05).adjacency.sum()) // 2
        assert len(answer.graph.edges) == first - answer.n_later
        for (i, j), separator in answer.separators.items():
            for k in range(9):
                if answer.graph.mark(i, k) and answer.graph.mark(j, k):
                    given = sorted(set(separator) - {k})
                    for end in (i, j):
                        assert test(end, k, given).p_value == 0.0
    assert n_later > 0


class Told(IndependenceTest):
    """Knows one independence."""

    def __init__(self, *separated):
        self.names, self.separated = tuple(range(4)), separated

    def __call__(self, i, j, given=()):
        return TestResult(0.0, 0.0, float((i, j, tuple(given)) in self.separated))


@pytest.mark.parametrize("kept", [False, True])
def test_edges_of_discriminating_paths_are_tested_again(kept):
    """The path (0, 1, 2, 3), whose ends {1, 2} separates: is 2 a collider, and does 1 - 2 stand?"""
    required = [(1, 2)] if kept else []
    known = Knowledge.of("RFCI", range(4), required=required)

    def asked(*separated):
        evidence = Evidence({(0, 3): (1, 2)}, {(0, 3): 1.0}, np.zeros((4, 4)), [()], [()], False)
        marks = Marks.of(PAG(4, [(0, "o->", 1), (1, "<->", 2), (1, "-->", 3), (2, "o->", 3)]))
        judge = Judge(Told(*separated), 0.05, 100)
        removals = {}
        verdict = _Search(AncestralSettings(), known, evidence, judge, marks)._decide(
            [(0, 1, 2, 3)], removals
        )
        return verdict, removals

    assert asked() == (False, {})
    if kept:
        assert asked((1, 2, ())) == (False, {})
    else:
        assert asked((1, 2, ())) == (None, {(1, 2): ((), 1.0)})
    assert asked((0, 1, (2,))) == (None, {(0, 1): ((2,), 1.0)})


def test_required_edges_stay_and_tests_end():
    test = FisherZ(Moments.of("RFCI", hidden_gaussian(100, 8, 3)))
    known = Knowledge.of("RFCI", test.names, required=[(0, 7), (1, 6)])
    answer = really_fast_causal_inference(test, AncestralSettings(), known)
    assert answer.graph.mark(0, 7) == "arrow"
    assert answer.graph.mark(7, 0) == "tail"
    short = really_fast_causal_inference(test, AncestralSettings(max_tests=10))
    assert short.cut
    assert sum(short.n_tests) <= 10


def test_far_fewer_tests_than_the_full_search():
    test = FisherZ(Moments.of("RFCI", hidden_gaussian(400, 15, 0)))
    settings = AncestralSettings(alpha=0.1)
    few = sum(really_fast_causal_inference(test, settings).n_tests)
    many = sum(fast_causal_inference(test, settings).n_tests)
    assert few < many
    assert np.isfinite(few)
