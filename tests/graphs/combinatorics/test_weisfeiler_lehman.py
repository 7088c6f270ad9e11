import numpy as np
import pytest

from margin.graphs import DAG, UndirectedGraph, refine_colours, weisfeiler_lehman_test

CIRCLE = UndirectedGraph(6, [(i, (i + 1) % 6) for i in range(6)])
TRIANGLES = UndirectedGraph(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)])


def renamed(graph, seed):
    order = np.random.default_rng(seed).permutation(len(graph)).tolist()
    return type(graph)(len(graph), [(order[a], order[b]) for a, b in graph.edges])


@pytest.mark.parametrize("seed", range(6))
def test_isomorphic_graphs_are_never_told_apart(random_graph, random_dag, seed):
    """graphs.18"""
    for graph in (random_graph(9, 0.35, seed), random_dag(9, 0.35, seed)):
        assert weisfeiler_lehman_test(graph, renamed(graph, seed))


def test_six_cycle_and_two_triangles_are_not_distinguished():
    """graphs.18: the known failure."""
    assert weisfeiler_lehman_test(CIRCLE, TRIANGLES)
    labels = dict.fromkeys(range(6), 0)
    assert not weisfeiler_lehman_test(
        CIRCLE, TRIANGLES, ({**labels, 0: 1, 3: 1}, {**labels, 0: 1, 1: 1})
    )


def test_rounds_refine_and_stop():
    """graphs.18: a chain of seven has four kinds of nodes, found after three rounds."""
    chain = UndirectedGraph(7, [(i, i + 1) for i in range(6)])
    rounds = refine_colours([chain])
    assert [len(set(colours[0].values())) for colours in rounds] == [1, 2, 3, 4]
    last = rounds[-1][0]
    assert all(last[i] == last[6 - i] for i in range(7))
    assert len(refine_colours([chain], n_iter=1)) == 2
    assert len(refine_colours([chain], n_iter=9)) == 10


def test_directions_and_labels_count():
    """graphs.18"""
    out, into = DAG(3, [(0, 1), (0, 2)]), DAG(3, [(1, 0), (2, 0)])
    assert not weisfeiler_lehman_test(out, into)
    pair = UndirectedGraph(2, [(0, 1)])
    assert not weisfeiler_lehman_test(pair, pair, ({0: "C", 1: "O"}, {0: "C", 1: "C"}))
    with pytest.raises(ValueError, match="labels must be 1 mappings, got 2"):
        refine_colours([pair], [None, None])


def test_different_sizes_differ():
    assert not weisfeiler_lehman_test(UndirectedGraph(2), UndirectedGraph(3))
    assert weisfeiler_lehman_test(UndirectedGraph(0), UndirectedGraph(0))
