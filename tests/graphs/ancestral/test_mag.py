"""graphs.04: what is left of a DAG when nodes are hidden or selected on."""

from itertools import combinations

import numpy as np
import pytest

from margin.graphs import (
    DAG,
    MixedGraph,
    UndirectedGraph,
    d_separated,
    is_maximal_ancestral,
    maximal_ancestral_graph,
)


@pytest.mark.parametrize("seed", range(20))
def test_separations_are_those_of_the_dag(random_dag, seed):
    rng = np.random.default_rng(seed)
    dag = random_dag(7, 0.4, seed)
    order = rng.permutation(7).tolist()
    latent, selection = order[: seed % 3], order[6 : 6 + seed % 2]
    mag = maximal_ancestral_graph(dag, latent, selection)
    assert is_maximal_ancestral(mag)
    for i, j in combinations(mag.nodes, 2):
        others = [k for k in mag.nodes if k not in (i, j)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                expected = d_separated(dag, [i], [j], [*given, *selection])
                assert mag.m_separated([i], [j], list(given)) == expected


def test_edges_say_who_is_an_ancestor():
    full = DAG([("a", "u"), ("u", "b"), ("u", "c")])
    assert maximal_ancestral_graph(full, "u") == MixedGraph(
        [*"abc"], [("a", "b"), ("a", "c")], [("b", "c")]
    )
    assert maximal_ancestral_graph(full) == MixedGraph(full.nodes, full.edges)
    # b -> c with a hidden common cause of a and c: an inducing path makes a an ancestor joined to c
    bow = MixedGraph([*"abc"], [("a", "b"), ("b", "c")], [("a", "b"), ("b", "c")])
    assert maximal_ancestral_graph(bow).directed == (("a", "b"), ("a", "c"), ("b", "c"))


def test_what_is_not_maximal_or_not_ancestral():
    path = MixedGraph([*"abcd"], [("b", "d"), ("c", "a")], [("a", "b"), ("b", "c"), ("c", "d")])
    assert not is_maximal_ancestral(path)  # a and d: every set opens one of the colliders
    assert not is_maximal_ancestral(MixedGraph([*"abc"], [("a", "b"), ("b", "c")], [("a", "c")]))
    assert not is_maximal_ancestral(MixedGraph([*"abc"], [("a", "b")], (), [("b", "c")]))
    assert is_maximal_ancestral(MixedGraph([*"abc"], [("b", "a")], (), [("b", "c")]))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="latent and selection must be without a common node"):
        maximal_ancestral_graph(DAG(3), 1, 1)
    with pytest.raises(ValueError, match="graph must be a DAG or a MixedGraph"):
        maximal_ancestral_graph(UndirectedGraph(2))
    with pytest.raises(ValueError, match="node must be one of"):
        maximal_ancestral_graph(DAG(3), latent=7)
