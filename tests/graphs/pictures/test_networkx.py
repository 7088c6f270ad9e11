import sys

import networkx as nx
import pytest

from margin.graphs import DAG, PDAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph

NAMES = ["a", "b", "c", "lonely"]


@pytest.mark.parametrize(
    ("graph", "kind"),
    [
        (DAG(NAMES, [("a", "b"), ("c", "b")]), nx.DiGraph),
        (UndirectedGraph(NAMES, [("c", "a")]), nx.Graph),
        (PDAG(NAMES, [("a", "b")], [("b", "c")]), nx.DiGraph),
        (ChainGraph(NAMES, [("a", "b")], [("b", "c")]), nx.DiGraph),
        (MixedGraph(NAMES, [("a", "b")], [("a", "b")], [("b", "c")]), nx.MultiDiGraph),
        (FactorGraph(NAMES, {"f": ["a", "b"], "g": ["c"]}), nx.Graph),
    ],
)
def test_there_and_back(graph, kind):
    """graphs.01"""
    theirs = graph.to_networkx()
    assert type(theirs) is kind
    assert list(theirs.nodes) == list(graph.nodes)
    assert type(graph).from_networkx(theirs) == graph


def test_two_opposite_arrows_are_an_undirected_edge_of_a_pdag():
    theirs = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    graph = PDAG.from_networkx(theirs)
    assert graph.directed == (("b", "c"),)
    assert graph.undirected == (("a", "b"),)
    with pytest.raises(ValueError, match="DAG: edges must form no directed cycle, got a -> b -> a"):
        DAG.from_networkx(theirs)


@pytest.mark.parametrize(
    ("make", "theirs", "message"),
    [
        (DAG, nx.Graph([(0, 1)]), "DAG: edges must be directed"),
        (UndirectedGraph, nx.DiGraph([(0, 1)]), "UndirectedGraph: edges must be undirected"),
        (DAG, nx.DiGraph([(0, 0)]), "between two different nodes"),
    ],
)
def test_the_wrong_kind_is_refused(make, theirs, message):
    with pytest.raises(ValueError, match=message):
        make.from_networkx(theirs)


def test_odd_input_is_refused():
    with pytest.raises(TypeError, match="DAG: graph must be a networkx graph, got list"):
        DAG.from_networkx([(0, 1)])
    odd = nx.DiGraph()
    odd.add_edge(0, 1, kind="wavy")
    with pytest.raises(
        ValueError, match="kind must be one of directed, undirected, bidirected, got"
    ):
        PDAG.from_networkx(odd)
    both = MixedGraph(2, bidirected=[(0, 1)]).to_networkx()
    with pytest.raises(ValueError, match="PDAG: edges must be directed or undirected, got 'bidi"):
        PDAG.from_networkx(both)


def test_without_networkx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"margin\[graph\]"):
        DAG(1).to_networkx()
