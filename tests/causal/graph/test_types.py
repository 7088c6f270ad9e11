from typing import get_args

import networkx as nx
import pytest

from margin.causal import CausalGraph
from margin.causal.graph._types import Kind
from margin.graphs import _types


@pytest.mark.parametrize("kind", get_args(Kind))
def test_causal_graphs_read_their_kinds_of_edges_and_refuse_all_others(kind):
    graph = nx.DiGraph()
    graph.add_edge("a", "b", kind=kind)
    if kind in CausalGraph.edge_kinds:
        assert list(CausalGraph.from_networkx(graph).links()) == [("a", "b", kind)]
    else:
        with pytest.raises(ValueError, match=r"CausalGraph: (edges|kind) must be"):
            CausalGraph.from_networkx(graph)


def test_kinds_are_those_of_all_graphs():
    assert Kind is _types.Kind
