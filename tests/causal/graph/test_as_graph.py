import networkx as nx
import pytest

from margin.causal import (
    CausalGraph,
    adjustment_sets,
    explain_association,
    forbidden_nodes,
    front_door_sets,
    has_causal_effect,
    instruments,
    is_adjustment_set,
    is_back_door_set,
    is_front_door_set,
    is_instrument,
    minimal_adjustment_set,
    minimal_front_door_set,
    optimal_adjustment_set,
    transport,
)
from margin.causal.graph._as_graph import causal_class, causal_graph
from margin.graphs import DAG, PAG, PDAG, MixedGraph, UndirectedGraph

ARROWS = [("w", "x"), ("z", "x"), ("z", "y"), ("x", "y")]
QUESTIONS = {
    "adjustment_sets": lambda graph: list(adjustment_sets(graph, "x", "y")),
    "explain_association": lambda graph: explain_association(graph, "x", "y").common_causes,
    "forbidden_nodes": lambda graph: forbidden_nodes(graph, "x", "y"),
    "front_door_sets": lambda graph: list(front_door_sets(graph, "x", "y")),
    "has_causal_effect": lambda graph: has_causal_effect(graph, "x", "y"),
    "instruments": lambda graph: list(instruments(graph, "x", "y")),
    "is_adjustment_set": lambda graph: is_adjustment_set(graph, "x", "y", "z"),
    "is_back_door_set": lambda graph: is_back_door_set(graph, "x", "y", "z"),
    "is_front_door_set": lambda graph: is_front_door_set(graph, "x", "y", "z"),
    "is_instrument": lambda graph: is_instrument(graph, "x", "y", "w", "z"),
    "minimal_adjustment_set": lambda graph: minimal_adjustment_set(graph, "x", "y"),
    "minimal_front_door_set": lambda graph: minimal_front_door_set(graph, "x", "y"),
    "optimal_adjustment_set": lambda graph: optimal_adjustment_set(graph, "x", "y"),
    "transport": lambda graph: transport(graph, "x", "y", ["z"]).formula,
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_takes_every_kind_of_graph(name):
    ask = QUESTIONS[name]
    wanted = ask(CausalGraph.from_edges(ARROWS))
    nodes = list("wzxy")
    dagitty, dot = "dag { w -> x z -> {x y} x -> y }", "digraph { w -> x; z -> {x y}; x -> y }"
    graphs = (DAG(ARROWS), MixedGraph(nodes, ARROWS), PDAG(nodes, ARROWS), nx.DiGraph(ARROWS))
    for graph in (*graphs, ARROWS, dagitty, dot):
        assert ask(graph) == wanted
    undirected = "graph must be directed: an undirected networkx graph says nothing of causes"
    with pytest.raises(ValueError, match=undirected):
        ask(nx.Graph(ARROWS))
    with pytest.raises(ValueError, match="graph must be a CausalGraph, DAG, PDAG, PAG, MixedG"):
        ask(UndirectedGraph(nodes, ARROWS))


@pytest.mark.parametrize("name", ["transport", "instruments", "is_back_door_set"])
def test_a_class_is_no_single_graph(name):
    with pytest.raises(ValueError, match=f"{name}: graph must be without undirected edges"):
        QUESTIONS[name](PDAG(list("wzxy"), ARROWS[1:], [("w", "x")]))
    with pytest.raises(ValueError, match=f"{name}: graph must be one graph, not the class"):
        QUESTIONS[name](PAG(["w o-> x", "z o-> x", "z --> y", "x --> y"]))


def test_kinds_of_networkx_edges_are_read():
    mixed = CausalGraph.from_edges([("x", "y")], [("x", "y")])
    assert causal_graph("identify", mixed.to_networkx()) == mixed
    open_ended = PDAG(["a", "b", "c"], [("a", "b")], [("b", "c")])
    assert causal_class("identify", open_ended.to_networkx()) == open_ended
    learnt = PAG(["a o-> c", "b o-o c"])
    assert causal_class("identify", learnt.to_networkx()) == learnt
    with pytest.raises(ValueError, match="without undirected edges"):
        causal_graph("identify", MixedGraph(["a", "b"], undirected=[("a", "b")]))
