"""FCI with a test that knows the answer, and against the general search on data."""

import numpy as np
import pytest
from hidden_worlds import BEYOND, hidden_gaussian, random_dag

from margin.graphs import DAG, PAG, Marks, mag_of_pag, pag
from margin.search import (
    AncestralSettings,
    Categories,
    FisherZ,
    GTest,
    IndependenceTest,
    Knowledge,
    Moments,
    Oracle,
    fast_causal_inference,
    possible_d_sep,
    stable_skeleton,
)


@pytest.mark.parametrize("colliders", ["ordinary", "conservative", "majority"])
@pytest.mark.parametrize("seed", range(25))
def test_the_oracle_gives_the_graph_of_the_class(seed, colliders):
    dag = random_dag(seed, 8, 0.2 + 0.02 * (seed % 10))
    latent, selection = list(range(seed % 3)), [7] if seed % 4 == 3 else []
    oracle = Oracle(dag, latent, selection)
    answer = fast_causal_inference(oracle, AncestralSettings(colliders=colliders))
    assert answer.graph == pag(dag, latent, selection)
    assert not answer.unclear
    assert not answer.conflicts
    assert not answer.cut
    assert all(oracle(i, j, given).p_value == 1.0 for (i, j), given in answer.separators.items())


def test_the_second_search_removes_what_neighbours_cannot():
    answer = fast_causal_inference(Oracle(BEYOND), AncestralSettings())
    assert answer.n_later == 1
    assert answer.graph == pag(BEYOND)


class Plain(IndependenceTest):
    """The same test without its compiled search."""

    def __init__(self, test):
        self.test, self.names = test, test.names

    def __call__(self, i, j, given=()):
        return self.test(i, j, given)


def same(first, second):
    assert first.graph == second.graph
    assert first.separators == second.separators
    assert first.n_tests == second.n_tests
    assert first.n_later == second.n_later
    np.testing.assert_allclose(first.largest_p, second.largest_p, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_compiled_searches_against_the_general_one(seed):
    X = hidden_gaussian(300, 10, seed)
    settings = AncestralSettings(alpha=0.2)
    test = FisherZ(Moments.of("FCI", X))
    same(fast_causal_inference(test, settings), fast_causal_inference(Plain(test), settings))
    table = Categories.of("FCI", (X > 0).astype(int))
    test = GTest(table, min_count=0.0)
    settings = AncestralSettings(alpha=0.3, max_level=3)
    same(fast_causal_inference(test, settings), fast_causal_inference(Plain(test), settings))


def test_the_further_search_skips_what_was_tried():
    test = FisherZ(Moments.of("FCI", hidden_gaussian(300, 10, 1)))
    first = stable_skeleton(test, 0.2)
    again = stable_skeleton(test, 0.2, start=first.adjacency, candidates=first.adjacency)
    assert sum(again.n_tests) == 0
    assert (again.adjacency == first.adjacency).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads):
    test = FisherZ(Moments.of("FCI", hidden_gaussian(400, 12, 3)))
    one = fast_causal_inference(test, AncestralSettings(alpha=0.1, n_threads=1))
    same(one, fast_causal_inference(test, AncestralSettings(alpha=0.1, n_threads=threads)))


@pytest.mark.parametrize("colliders", ["conservative", "majority"])
@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_columns_changes_nothing(seed, colliders):
    X = hidden_gaussian(250, 9, seed)
    settings = AncestralSettings(alpha=0.1, colliders=colliders)
    straight = fast_causal_inference(FisherZ(Moments.of("FCI", X)), settings)
    order = np.random.default_rng(seed).permutation(9)
    turned = fast_causal_inference(FisherZ(Moments.of("FCI", X[:, order])), settings)
    edges = [(int(order[a]), symbol, int(order[b])) for a, symbol, b in turned.graph.edges]
    assert PAG(9, edges) == straight.graph


def test_knowledge_is_respected_and_spreads():
    chain = Oracle(DAG(["a", "b", "c"], [("a", "b"), ("b", "c")]))

    def learnt(**known):
        knowledge = Knowledge.of("FCI", chain.names, **known)
        return fast_causal_inference(chain, AncestralSettings(), knowledge).graph

    assert learnt() == PAG(["a o-o b", "b o-o c"])
    assert learnt(required=[("a", "b")]) == PAG(["a --> b", "b --> c"])
    assert learnt(tiers=[["a"], ["b", "c"]]) == PAG(["a o-> b", "b --> c"])
    assert learnt(forbidden=[("a", "b"), ("b", "a")]) == PAG(["a <-> b", "b --> c"])


def test_a_search_ends_with_its_tests():
    test = FisherZ(Moments.of("FCI", hidden_gaussian(300, 10, 2)))
    short = fast_causal_inference(test, AncestralSettings(alpha=0.2, max_tests=50))
    assert short.cut
    assert sum(short.n_tests) <= 50
    voted = AncestralSettings(alpha=0.2, max_tests=200, colliders="conservative")
    assert sum(fast_causal_inference(test, voted).n_tests) <= 200


def test_without_selection_no_edge_is_undirected():
    square = DAG(6, [(0, 1), (1, 2), (0, 3), (3, 2), (0, 4), (2, 5)])
    cycle = DAG(8, [(0, 4), (1, 4), (1, 5), (2, 5), (2, 6), (3, 6), (3, 7), (0, 7)])
    selected = Oracle(cycle, selection=[4, 5, 6, 7])
    undirected = fast_causal_inference(selected, AncestralSettings()).graph
    assert {kind for _, _, kind in undirected.links()} == {"undirected"}
    left = fast_causal_inference(selected, AncestralSettings(selection=False)).graph
    assert {kind for _, _, kind in left.links()} == {"circle-circle"}
    answer = fast_causal_inference(Oracle(square), AncestralSettings()).graph
    assert mag_of_pag(answer)
    assert possible_d_sep(Marks.of(answer)).shape == (6, 6)
