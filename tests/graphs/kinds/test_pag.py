"""graphs.04: edges with open marks."""

import pickle

import networkx as nx
import pytest

from margin.graphs import PAG, PDAG, MixedGraph

ALL = ["a --> b", "b <-> c", "c --- d", "d o-> e", "e o-o f", "f o-- a"]


def test_marks_and_relatives():
    graph = PAG(ALL)
    assert [graph.mark(*pair) for pair in (("a", "b"), ("b", "a"), ("d", "e"), ("e", "d"))] == [
        "arrow",
        "tail",
        "arrow",
        "circle",
    ]
    assert graph.mark("a", "d") is None
    assert (graph.mark("f", "a"), graph.mark("a", "f")) == ("tail", "circle")
    assert graph.parents("b") == ("a",)
    assert graph.children("a") == ("b",)
    assert graph.spouses("c") == ("b",)
    assert graph.adjacent("a") == ("b", "f")
    assert set(map(frozenset, graph.skeleton().edges)) == {frozenset((e[0], e[-1])) for e in ALL}


def test_possible_relatives_follow_open_marks():
    graph = PAG(["a o-> b", "b --> c", "d o-o a", "c <-> e", "f o-- d"])
    assert graph.possible_descendants("d") == ("a", "b", "c", "f")
    assert graph.possible_ancestors("c") == ("a", "b", "d")
    assert graph.possible_descendants("e") == ()


def test_equality_hash_pickle_and_order():
    graph = PAG(ALL)
    turned = PAG(list("fedcba"), ["b <-- a", "c <-> b", "d -- c", "e <-o d", "f o-o e", "a --o f"])
    assert graph == turned
    assert hash(graph) == hash(turned)
    assert graph != PAG([*ALL[:-1], "a o-- f"])
    assert graph != PAG([*ALL[:-1], "f o-> a"])
    assert pickle.loads(pickle.dumps(graph)) == graph
    assert repr(graph).startswith("PAG(nodes=('a',")


def test_text_dagitty_and_networkx_come_back():
    graph = PAG([*"abcdef", "alone"], ALL)
    assert PAG.from_text(str(graph)) == graph
    assert PAG.from_text(graph.to_dagitty()) == graph
    assert '"d" @-> "e"' in graph.to_dagitty()
    copy = graph.to_networkx()
    assert isinstance(copy, nx.MultiDiGraph)
    assert PAG.from_networkx(copy) == graph
    with pytest.raises(ValueError, match="PDAG: kind must be one of directed, undirected"):
        PDAG.from_networkx(copy)
    with pytest.raises(ValueError, match="MixedGraph: kind must be one of"):
        MixedGraph.from_networkx(copy)


def test_from_a_maximal_ancestral_graph():
    mag = MixedGraph([*"abcd"], [("a", "b")], [("b", "c")], [("d", "a")])
    assert PAG.from_mixed(mag) == PAG(["a --> b", "b <-> c", "d --- a"])


def test_bad_edges_are_refused():
    with pytest.raises(
        ValueError, match=r"PAG: edges must be at most one per pair, got \('a', 'b'"
    ):
        PAG(["a o-> b", "b o-> a"])
    with pytest.raises(ValueError, match="between two different nodes"):
        PAG(["a o-> a"])
    with pytest.raises(ValueError, match="between the nodes 'a', 'b'"):
        PAG(["a", "b"], ["a o-> c"])
    with pytest.raises(ValueError, match="node must be one of"):
        PAG(ALL).mark("a", "z")
    assert PAG(["a o-> b", "b <-o a"]).edges == (("a", "o->", "b"),)
    assert PAG(3).edges == ()
    assert PAG([]).nodes == ()


def test_open_marks_in_pictures():
    plt = pytest.importorskip("matplotlib.pyplot")
    graph = PAG(ALL)
    assert "arrowtail=odot, arrowhead=odot" in graph.to_dot()
    figure, ax = plt.subplots()
    graph.draw(ax)
    assert sum(line.get_mfc() == "white" for line in ax.lines) == 4  # one per open end
    plt.close(figure)
