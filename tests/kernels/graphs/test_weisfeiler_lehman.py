"""The Weisfeiler–Lehman kernels (kernels.29)."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from graph_draws import draw_graphs
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphs import UndirectedGraph
from margin.graphs.combinatorics._weisfeiler_lehman import refine_colours
from margin.kernels import (
    RBF,
    RandomWalk,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    normalise,
)
from margin.testing import KernelContract


class TestWeisfeilerLehman(KernelContract):
    def make(self):
        return [
            WeisfeilerLehman(0),
            WeisfeilerLehman(3),
            normalise(WeisfeilerLehman(2)),
            WeisfeilerLehman(2, ShortestPath()),
            WeisfeilerLehman(2, 2.0 * RandomWalk(0.02) + ShortestPath()),
        ]

    def draw(self, rng, n):
        return draw_graphs(rng, n)


def test_worked_example():
    """kernels.29: a chain of three and a triangle, one round."""
    X = [nx.path_graph(3), nx.complete_graph(3)]
    assert_array_equal(WeisfeilerLehman(1)(X), [[14, 12], [12, 18]])
    assert normalise(WeisfeilerLehman(1))(X)[0, 1] == pytest.approx(0.755929, abs=5e-7)


def rounds(graphs, depth):
    """Labels as nested tuples, never numbered."""
    colours = [dict(g.nodes(data="label")) for g in graphs]
    yield colours
    for _ in range(depth):
        fresh = []
        for g, colour in zip(graphs, colours, strict=True):
            around = g.pred if g.is_directed() else dict.fromkeys(g, ())
            fresh.append(
                {
                    v: (
                        colour[v],
                        tuple(sorted(map(repr, (colour[u] for u in g[v])))),
                        tuple(sorted(map(repr, (colour[u] for u in around[v])))),
                    )
                    for v in g
                }
            )
        colours = fresh
        yield colours


@pytest.mark.parametrize("directed", [False, True])
def test_by_nested_labels(directed):
    X = draw_graphs(np.random.default_rng(0), 10, directed, "CN")
    total = np.zeros((10, 10))
    for colours in rounds(X, 3):
        bags = [Counter(colour.values()) for colour in colours]
        total += [[sum(a[u] * b[u] for u in a) for b in bags] for a in bags]
    assert_array_equal(WeisfeilerLehman(3)(X), total)
    assert_array_equal(WeisfeilerLehman(3)(X[:4], X[4:], n_threads=3), total[:4, 4:])


def test_agrees_with_colour_refinement_of_graphs():
    rng = np.random.default_rng(1)
    graphs = []
    for n in (4, 6, 7):
        edges = [(i, j) for i in range(n) for j in range(i) if rng.random() < 0.4]
        graphs.append(UndirectedGraph(n, edges))
    total = np.zeros((3, 3))
    for colours in refine_colours(graphs, n_iter=4):
        bags = [Counter(colour.values()) for colour in colours]
        total += [[sum(a[u] * b[u] for u in a) for b in bags] for a in bags]
    assert_array_equal(WeisfeilerLehman(4)(graphs), total)


def test_the_histogram_as_base_is_the_default():
    X = draw_graphs(np.random.default_rng(2), 8)
    given = WeisfeilerLehman(3, VertexHistogram())
    assert_array_equal(given(X), WeisfeilerLehman(3)(X))
    assert_array_equal(given.diag(X), WeisfeilerLehman(3).diag(X))


def test_rounds_that_split_nothing_are_added_all_the_same():
    X = [nx.cycle_graph(6), nx.cycle_graph(4)]
    assert_allclose(WeisfeilerLehman(9)(X), 10 * np.array([[36, 24], [24, 16]]))
    assert_array_equal(WeisfeilerLehman(9, VertexHistogram())(X), WeisfeilerLehman(9)(X))


def test_isomorphic_graphs_are_one_and_the_known_failure():
    """A circle of six and two triangles look alike to it."""
    rng = np.random.default_rng(3)
    g = draw_graphs(rng, 1)[0]
    other = nx.relabel_nodes(g, dict(zip(g, rng.permutation(len(g)).tolist(), strict=True)))
    two = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    K = normalise(WeisfeilerLehman(4))
    assert K([g], [other])[0, 0] == pytest.approx(1.0)
    assert K([nx.cycle_graph(6)], [two])[0, 0] == pytest.approx(1.0)


def test_the_base_gives_the_hyper_parameters():
    kernel = WeisfeilerLehman(2, RandomWalk(0.01))
    assert kernel.theta_names == ("base.decay",)
    assert kernel.with_theta(np.log([0.02])).base.decay == pytest.approx(0.02)
    assert WeisfeilerLehman(2).theta.shape == (0,)


def test_empty_sets_and_graphs():
    assert WeisfeilerLehman(2)([]).shape == (0, 0)
    assert_array_equal(WeisfeilerLehman(2)([nx.Graph(), nx.empty_graph(1)]), [[0, 0], [0, 3]])


@pytest.mark.parametrize("depth", [-1, 1.0, True, None])
def test_depth_must_count(depth):
    with pytest.raises(
        ValueError, match="WeisfeilerLehman: depth must be an integer of at least 0"
    ):
        WeisfeilerLehman(depth)


def test_the_base_must_compare_graphs():
    with pytest.raises(ValueError, match="WeisfeilerLehman: base must be a kernel of graphs"):
        WeisfeilerLehman(1, RBF(1.0))
