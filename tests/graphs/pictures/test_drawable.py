from types import SimpleNamespace

import pytest

from margin.graphs import DAG, CliqueTree, FactorGraph, UndirectedGraph, dot, layout
from margin.graphs.pictures._drawable import drawable, has_arrows

CHAIN = DAG([("a", "b")])


def test_a_model_shows_its_graph():
    """plotting.04"""
    tree = CliqueTree((("a", "b"),), (), ())
    assert drawable("draw", CHAIN) is CHAIN
    assert drawable("draw", SimpleNamespace(graph=CHAIN)) is CHAIN
    assert drawable("draw", SimpleNamespace(graph_=CHAIN)) is CHAIN
    assert drawable("draw", tree) == tree.to_graph()
    assert dot(SimpleNamespace(graph=CHAIN)) == CHAIN.to_dot()
    assert layout(SimpleNamespace(graph=CHAIN)) == layout(CHAIN)


def test_anything_else_is_refused_by_name():
    with pytest.raises(TypeError, match="layout: graph must be a graph or something with a graph"):
        layout([("a", "b")])


def test_arrows():
    assert has_arrows(CHAIN)
    assert not has_arrows(UndirectedGraph(2))
    assert not has_arrows(FactorGraph(2))
