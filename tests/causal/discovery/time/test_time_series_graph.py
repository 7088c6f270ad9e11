"""Graphs of series."""

import matplotlib.pyplot as plt

from margin.causal import TimeSeriesGraph


def test_links_nodes_and_pictures():
    graph = TimeSeriesGraph(("x", "y"), 2, (("x", 1, "x"), ("y", 2, "x")), (), (("x", "y"),))
    assert len(graph.nodes) == 6
    flat = graph.unrolled()
    assert flat.parents(("x", 0)) == (("x", 1), ("y", 2))
    assert flat.undirected == ((("x", 0), ("y", 0)),)
    assert set(graph.edges) == set(flat.edges)
    assert set(graph.links()) == set(flat.links())
    figure, axes = plt.subplots()
    graph.draw(axes)
    assert {text.get_text() for text in axes.texts} >= {"x(t)", "y(t-2)"}
    plt.close(figure)
