"""What distances accept."""

import pytest

from margin.causal import CausalGraph
from margin.causal.distances._compared import Compared, walk
from margin.graphs import DAG, PDAG, MixedGraph, UndirectedGraph, cpdag


def of(graph, nodes=("a", "b", "c")):
    return Compared.of("distance", "found", graph, nodes)


def test_open_effects_of_a_chain():
    compared = of(cpdag(DAG.from_edges([("a", "b"), ("b", "c")])))
    assert compared.near == (0b010, 0b101, 0b010)
    assert compared.possible_effects(0) == 0b110
    assert compared.not_identified(1) == 0b101
    directed = of(DAG(list("cba"), [("a", "b"), ("b", "c")]))
    assert directed.parents == (0, 0b001, 0b010)
    assert directed.not_identified(0) == 0
    assert walk(0b001, directed.forward, 0b010) == 0b001


def test_refusals():
    for graph, words in (
        (CausalGraph(list("abc"), [], [("a", "b")]), "without hidden common causes"),
        (
            UndirectedGraph(list("abc"), []),
            "such as a CPDAG, got 'UndirectedGraph'",
        ),
        (MixedGraph(list("abc"), []), "a DAG, or a PDAG such as a CPDAG"),
        (PDAG(list("abc"), [("a", "b")], [("b", "c")]), "the essential graph of a class"),
        (DAG(list("abd"), []), r"over the nodes of the truth, got \['c', 'd'\]"),
    ):
        with pytest.raises(ValueError, match=words):
            of(graph)
