from types import SimpleNamespace

import matplotlib.pyplot as plt
import pytest
from matplotlib.markers import MarkerStyle

from margin.graphical import BayesianNetwork
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


def heads(ax):
    """Which ends of every edge have an arrowhead."""
    arrows = [text.arrow_patch for text in ax.texts if text.arrow_patch is not None]
    styles = [arrow.get_arrowstyle() for arrow in arrows]
    return [(style.arrow.startswith("<"), style.arrow.endswith(">")) for style in styles]


def test_variables_are_round_and_factors_square():
    """plotting.04: names in circles, the factors between them small dark squares without one."""
    graph = FactorGraph(["a", "b"], {"f": ["a", "b"], "g": ["b"]})
    _, ax = plt.subplots()
    draw(graph, ax)
    shapes = dict(zip(graph.nodes, ax.lines, strict=True))
    squares = {node for node, line in shapes.items() if is_square(line)}
    assert squares == set(graph.squares)
    assert len(squares) == 2
    assert {text.get_text() for text in ax.texts} == {"a", "b", ""}
    fills = {shapes[node].get_markerfacecolor() for node in squares}
    assert fills.isdisjoint({shapes["a"].get_markerfacecolor()})


def is_square(line):
    marker = line.get_marker()
    path = MarkerStyle(marker).get_path().transformed(MarkerStyle(marker).get_transform())
    return not (path.codes is not None and (path.codes == path.CURVE4).any())


def test_each_kind_of_edge_has_its_ends():
    """plotting.04: arrows of a Bayesian network point at the child, lines of a Markov network
    have no heads, and a common cause has two."""
    kinds = {
        DAG([("a", "b")]): [(False, True)],
        UndirectedGraph(["a", "b"], [("a", "b")]): [(False, False)],
        FactorGraph(["a"], {"f": ["a"]}): [(False, False)],
        MixedGraph(["a", "b"], [], [("a", "b")]): [(True, True)],
    }
    for graph, wanted in kinds.items():
        _, ax = plt.subplots()
        draw(graph, ax)
        assert heads(ax) == wanted, graph


def test_arrows_run_from_parent_to_child():
    """plotting.04"""
    places = {"cause": (0.0, 3.0), "effect": (2.0, -1.0)}
    _, ax = plt.subplots()
    draw(DAG([("cause", "effect")]), ax, positions=places)
    arrow = next(text for text in ax.texts if text.arrow_patch is not None)
    assert (arrow.xy, arrow.xyann) == (places["effect"], places["cause"])
    centres = [tuple(line.get_xydata()[0]) for line in ax.lines]
    assert centres == [places["cause"], places["effect"]]


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


def test_nodes_are_as_wide_as_their_names():
    """plotting.04: the written name lies inside the drawn node."""
    figure, ax = plt.subplots(dpi=72)
    draw(DAG([("burglary", "alarm"), ("earthquake", "alarm")]), ax)
    figure.canvas.draw()
    names = {text.get_text(): text for text in ax.texts if text.get_text()}
    for line, name in zip(ax.lines, ["burglary", "alarm", "earthquake"], strict=True):
        assert line.get_markersize() > names[name].get_window_extent().width


def test_an_intervention_cuts_what_points_at_its_nodes():
    """plotting.04: in the intervened graph nothing acts on a node that is set."""
    graph = MixedGraph(["u", "x", "y"], [("u", "x"), ("x", "y"), ("u", "y")], [("x", "y")])
    _, ax = plt.subplots()
    draw(graph, ax, do="x")
    edges = list(graph.links())
    arrows = [text.arrow_patch for text in ax.texts if text.arrow_patch is not None]
    dotted = [edge for edge, arrow in zip(edges, arrows, strict=True) if arrow.get_ls() == ":"]
    assert dotted == [("u", "x", "directed"), ("x", "y", "bidirected")]
    pale = {arrow.get_edgecolor() for arrow in arrows if arrow.get_ls() == ":"}
    assert pale.isdisjoint({arrow.get_edgecolor() for arrow in arrows if arrow.get_ls() != ":"})
    widths = [line.get_markeredgewidth() for line in ax.lines]
    assert widths[1] > widths[0] == widths[2]
    kept = [(a, b) for a, b, kind in edges if (a, b, kind) not in dotted]
    assert kept == [(a, b) for a, b in graph.directed if b != "x"]


def test_an_intervention_on_an_undirected_edge_cuts_nothing():
    """plotting.04"""
    _, ax = plt.subplots()
    draw(UndirectedGraph(["a", "b"], [("a", "b")]), ax, do=["a"])
    assert ax.texts[0].arrow_patch.get_ls() == "-"
    with pytest.raises(ValueError, match="node must be one of the nodes 'a', got 'z'"):
        draw(UndirectedGraph(["a"]), ax, do="z")


def test_a_model_is_drawn_by_its_graph():
    """plotting.04"""
    _, ax = plt.subplots()
    draw(SimpleNamespace(graph=DAG([("a", "b")])), ax)
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["a", "b"]


def test_a_network_is_drawn_with_all_its_arrows():
    """plotting.04"""
    edges = [("burglary", "alarm"), ("quake", "alarm")]
    half = [0.5, 0.5]
    tables = {"burglary": half, "quake": half, "alarm": [[half, half], [half, half]]}
    network = BayesianNetwork.from_edges(edges, tables)
    figure, ax = plt.subplots()
    assert draw(network, ax, do="alarm") is ax
    figure.canvas.draw()
    assert {text.get_text() for text in ax.texts} - {""} == {"burglary", "quake", "alarm"}
    arrows = [text.arrow_patch for text in ax.texts if text.arrow_patch is not None]
    assert [arrow.get_ls() for arrow in arrows] == [":", ":"]
    widths = sorted(line.get_markeredgewidth() for line in ax.lines)
    assert widths[0] == widths[1] < widths[2]
