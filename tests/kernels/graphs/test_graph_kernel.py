"""Counts of labels, and what kernels of graphs have in common."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from graph_draws import draw_graphs
from numpy.testing import assert_array_equal

from margin.kernels import VertexHistogram, WeisfeilerLehman
from margin.testing import KernelContract


class TestVertexHistogram(KernelContract):
    def make(self):
        return [VertexHistogram()]

    def draw(self, rng, n):
        return draw_graphs(rng, n)


def test_labels_are_counted():
    X = draw_graphs(np.random.default_rng(0), 8)
    bags = [Counter(g.nodes[v]["label"] for v in g) for g in X]
    wanted = [[sum(a[u] * b[u] for u in a) for b in bags] for a in bags]
    assert_array_equal(VertexHistogram()(X), wanted)
    assert_array_equal(VertexHistogram()(X), WeisfeilerLehman(0)(X))


def test_degrees_as_labels():
    X = [nx.path_graph(3), nx.complete_graph(3)]
    assert_array_equal(VertexHistogram(unlabelled="degree")(X), [[5, 3], [3, 9]])


def test_parameters():
    with pytest.raises(ValueError, match="unlabelled must be one of 'uniform', 'degree', got 'no'"):
        VertexHistogram(unlabelled="no")
    with pytest.raises(ValueError, match="label must be the name of an attribute, got 3"):
        VertexHistogram(label=3)
