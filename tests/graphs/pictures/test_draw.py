import matplotlib.pyplot as plt
import pytest

from margin.graphs import DAG, PDAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph, draw


@pytest.fixture(autouse=True)
def _closed():
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.mark.parametrize(
    "graph",
    [
        DAG(["a", "b", "c"], [("a", "b")]),
        UndirectedGraph(["a", "b", "c"], [("a", "b")]),
        PDAG(["a", "b", "c"], [("a", "b")], [("b", "c")]),
        ChainGraph(["a", "b", "c"], [("a", "b")], [("b", "c")]),
        MixedGraph(["a", "b", "c"], [("a", "b")], [("b", "c")]),
        FactorGraph(["a", "b", "c"], {"f": ["a", "b"]}),
    ],
)
def test_every_node_and_edge_is_drawn(graph):
    """plotting.04"""
    figure, ax = plt.subplots()
    assert graph.draw(ax) is ax
    figure.canvas.draw()
    written = [text.get_text() for text in ax.texts]
    assert [name for name in written if name] == ["a", "b", "c"]
    arrows = [text for text in ax.texts if text.arrow_patch is not None]
    assert len(arrows) == len(graph.edges)
    assert len(ax.lines) == len(graph)


def test_style():
    """plotting.04"""
    dag = DAG(["a", "b"], [("a", "b")])
    ax = draw(
        dag,
        positions={"a": (0.0, 0.0), "b": (1.0, 2.0)},
        colours={"a": "red"},
        edge_colours={("b", "a"): "green"},
        labels={"b": "B!"},
    )
    assert ax is plt.gca()
    assert ax.lines[0].get_markerfacecolor() == "red"
    assert ax.lines[1].get_xydata().tolist() == [[1.0, 2.0]]
    assert ax.texts[-1].get_text() == "B!"
    assert ax.texts[0].arrow_patch.get_edgecolor()[:3] == pytest.approx((0, 0.50196, 0), abs=1e-3)
