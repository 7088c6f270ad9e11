from typing import get_args

import networkx as nx
import pytest

from margin.graphs import DAG, PAG, PDAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph
from margin.graphs._types import ONE_WAY, Kind

CLASSES = (DAG, PDAG, PAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph)


def test_every_kind_of_edge_has_a_graph_that_knows_it():
    assert {kind for cls in CLASSES for kind in cls.edge_kinds} == set(get_args(Kind))


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("kind", get_args(Kind))
def test_graphs_read_back_the_kinds_they_name_and_no_others(cls, kind):
    graph = nx.DiGraph()
    graph.add_node("a", bipartite=0)
    graph.add_node("b", bipartite=1)
    graph.add_edge("a", "b", kind=kind)
    if cls is FactorGraph:  # its edges are told by the two sides of their ends
        assert [link[2] for link in cls.from_networkx(graph).links()] == ["undirected"]
    elif kind in cls.edge_kinds:
        (link,) = cls.from_networkx(graph).links()
        assert link[2] == kind
        assert link[:2] == ("a", "b") if kind in ONE_WAY else set(link[:2]) == {"a", "b"}
    else:
        with pytest.raises(ValueError, match=f"{cls.__name__}: (edges|kind) must be"):
            cls.from_networkx(graph)
