from typing import get_args

from margin.causal import CausalGraph
from margin.causal.graph._types import Kind


def test_causal_graphs_have_all_kinds_but_undirected_edges():
    assert set(CausalGraph.edge_kinds) == set(get_args(Kind)) - {"undirected"}
