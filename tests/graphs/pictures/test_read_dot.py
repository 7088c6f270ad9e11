"""What is written is read again; other people's texts; what is refused."""

import pytest

from margin.causal import CausalGraph
from margin.graphs import DAG, PAG, PDAG, FactorGraph, MixedGraph, UndirectedGraph
from margin.graphs.pictures._read_dot import links_of_dot

ODD = 'two "words"\nand \\ more'


@pytest.mark.parametrize(
    "graph",
    [
        DAG(["c", "a", ODD], [("a", ODD), ("a", "c")]),
        PDAG(["a", "b", "c"], [("a", "b")], [("b", "c")]),
        MixedGraph(["x", "y", "z"], [("x", "y")], [("x", "y"), ("y", "z")]),
        CausalGraph(["x", "y"], [("x", "y")], [("x", "y")]),
        UndirectedGraph(["a", "b", "c"], [("a", "b")]),
        PAG.from_text("pag { a @-> b b -> c c <-> d d @-@ e e @-- f }"),
        FactorGraph(["x", "y"], {"f": ["x", "y"], "g": ["y"]}),
    ],
    ids=lambda graph: type(graph).__name__,
)
def test_round_trip(graph):
    assert type(graph).from_dot(graph.to_dot()) == graph


def test_the_language():
    text = """
    /* with // everything */ strict digraph "a name" {
      rankdir=LR; node [shape=circle, color="#00ff00"]
      # a line of the preprocessor
      a -> b:n -> c [label="not a node", dir=back];
      edge [dir=both]
      { d, e } -> "f -> g" // three names
      subgraph cluster_1 { edge [dir=none]; c -> d }
      1.5 -> a
    }"""
    nodes, links = links_of_dot(text, "MixedGraph")
    assert nodes == ["a", "b", "c", "d", "e", "f -> g", "1.5"]
    assert links == [
        ("b", "a", "directed"),
        ("c", "b", "directed"),
        ("d", "f -> g", "bidirected"),
        ("e", "f -> g", "bidirected"),
        ("c", "d", "undirected"),
        ("1.5", "a", "bidirected"),
    ]
    assert links_of_dot("graph { a -- b }", "PDAG")[1] == [("a", "b", "undirected")]
    same = links_of_dot('digraph { a [label="x"]; b [label="x"]; a -> b }', "DAG")
    assert same == (["a", "b"], [("a", "b", "directed")])
    assert links_of_dot("digraph {}", "DAG") == ([], [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a -> b", r"DAG: text must be of the form 'digraph \{ … \}'"),
        ("digraph { a -> }", "DAG: text must be with 'a name' here, got 'an end'"),
        ("digraph { a -> -> b }", "DAG: text must be a name here"),
        ("digraph { a -> b [dir=up] }", "DAG: dir must be forward, back, both or none, got 'up'"),
        ("digraph { a ? b }", "DAG: text must be in Graphviz's language"),
        ("digraph { a -> b -> a }", "cycle"),
        ("digraph { a -> b [dir=both] }", "DAG"),
        ("digraph { { a -> b }", "DAG: text must be"),
        (3, "DAG: text must be a string in Graphviz's language, got 'int'"),
    ],
)
def test_refusals(text, message):
    with pytest.raises(ValueError, match=message):
        DAG.from_dot(text)
