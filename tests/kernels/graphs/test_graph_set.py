"""Many graphs in one numbering."""

import networkx as nx
import numpy as np
import pytest
from graph_draws import draw_graphs
from numpy.testing import assert_array_equal

from margin.kernels.graphs._graph_input import graphs_of
from margin.kernels.graphs._graph_set import joined


@pytest.mark.parametrize("directed", [False, True])
def test_graphs_come_back(directed):
    graphs = draw_graphs(np.random.default_rng(0), 6, directed)
    packed, _ = graphs_of("K", graphs, None, "label", "uniform")
    assert len(packed) == 6
    for graph, (matrix, labels) in zip(graphs, packed, strict=True):
        assert_array_equal(matrix.toarray(), nx.to_numpy_array(graph))
        names = [graph.nodes[v]["label"] for v in graph]
        assert len(set(zip(names, labels.tolist(), strict=True))) == len(set(names))
    with pytest.raises(IndexError, match="below 6"):
        packed[6]


def test_rows_and_joining_undo_each_other():
    some = draw_graphs(np.random.default_rng(1), 3)
    others = draw_graphs(np.random.default_rng(2), 4, directed=True)
    packed, _ = graphs_of("K", some + others, None, "label", "uniform")
    again = joined(packed.rows(0, 3), packed.rows(3, 7))
    for name in ("offsets", "indptr", "heads", "kinds", "labels"):
        assert_array_equal(getattr(again, name), getattr(packed, name))
    edges = [len(g.edges) > 0 for g in others]
    assert packed.undirected().tolist() == [1, 1, 1, *(int(not e) for e in edges)]


def test_relabelled():
    packed, _ = graphs_of("K", [nx.path_graph(3)], None, "label", "uniform")
    labels = np.array([2, 0, 1], dtype=np.int32)
    assert packed.relabelled(labels, 3)[0][1].tolist() == [2, 0, 1]
