from typing import get_args

from margin.graphs import DAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph
from margin.graphs._types import Kind


def test_every_kind_of_edge_has_a_graph_that_knows_it():
    classes = (DAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph)
    assert {kind for cls in classes for kind in cls.edge_kinds} == set(get_args(Kind))
