"""The shortest-path kernel of graphs."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from graph_draws import draw_graphs
from numpy.testing import assert_array_equal

from margin.kernels import ShortestPath, normalise
from margin.testing import KernelContract


class TestShortestPath(KernelContract):
    def make(self):
        return [ShortestPath(), normalise(ShortestPath())]

    def draw(self, rng, n):
        return draw_graphs(rng, n)


@pytest.mark.parametrize("directed", [False, True])
def test_by_networkx(directed):
    """kernels.30: a kernel of graphs from the delta kernel of their paths."""
    X = draw_graphs(np.random.default_rng(0), 10, directed)
    bags = []
    for g in X:
        label = g.nodes(data="label")
        lengths = dict(nx.all_pairs_shortest_path_length(g))
        bags.append(
            Counter((label[u], label[v], d) for u in g for v, d in lengths[u].items() if u != v)
        )
    wanted = [[sum(a[p] * b[p] for p in a) for b in bags] for a in bags]
    assert_array_equal(ShortestPath()(X), wanted)
    assert_array_equal(ShortestPath()(X[:4], X[4:], n_threads=3), np.array(wanted)[:4, 4:])


def test_pieces_without_a_path_and_loops_do_not_count():
    apart = nx.Graph([(0, 1), (2, 3)])
    assert_array_equal(ShortestPath()([apart]), [[16.0]])
    apart.add_edge(0, 0)
    assert_array_equal(ShortestPath()([apart, nx.Graph(), nx.empty_graph(2)]).sum(), 16.0)
