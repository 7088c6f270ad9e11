import numpy as np
import pytest

from margin.graphs import DAG, PDAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph
from margin.graphs.kinds._checks import edges_alone, ends_of, listed, square

PAIRS = [("a", "b"), ("b", "c")]


@pytest.mark.parametrize("kind", [DAG, UndirectedGraph, PDAG, ChainGraph, MixedGraph])
def test_pairs_alone_are_edges(kind):
    graph = kind(PAIRS)
    assert graph.nodes == ("a", "b", "c")
    assert graph.edges == tuple(PAIRS)
    assert graph == kind(["a", "b", "c"], PAIRS) == kind([list(pair) for pair in PAIRS])
    assert graph == kind(iter(PAIRS))


@pytest.mark.parametrize("kind", [DAG, UndirectedGraph, PDAG, ChainGraph, MixedGraph])
def test_pairs_with_edges_are_nodes(kind):
    assert kind(PAIRS, ()).nodes == tuple(PAIRS)
    joined = kind(PAIRS, [(PAIRS[0], PAIRS[1])])
    assert joined.nodes == tuple(PAIRS)
    assert joined.edges == ((PAIRS[0], PAIRS[1]),)
    assert kind(nodes=["a", "b"]).edges == kind(nodes=["ab", "cd"]).edges == ()
    assert kind([]).nodes == ()


@pytest.mark.parametrize("kind", [PDAG, ChainGraph, MixedGraph])
def test_other_edges_make_pairs_nodes(kind):
    graph = kind(PAIRS, undirected=[(PAIRS[0], PAIRS[1])])
    assert graph.nodes == tuple(PAIRS)
    assert graph.undirected == ((PAIRS[0], PAIRS[1]),)


def test_factors_alone_name_their_variables():
    graph = FactorGraph([("a",), ("a", "b")])
    assert graph.variables == ("a", "b")
    assert graph.factors == {("factor", 0): ("a",), ("factor", 1): ("a", "b")}
    named = FactorGraph({"prior": ["a"], "likelihood": ["a", "b"]})
    assert named == FactorGraph(["a", "b"], {"prior": ["a"], "likelihood": ["a", "b"]})
    assert FactorGraph(PAIRS, ()).variables == tuple(PAIRS)
    assert FactorGraph(["a", "b"]).factors == {}


def test_what_is_not_a_pair_is_a_node():
    assert edges_alone([("a", "b"), "c"], None) == ((("a", "b"), "c"), ())
    assert edges_alone(3, None) == (3, ())
    assert edges_alone("ab", None) == ("ab", ())


def test_words_and_shapes():
    assert ends_of([("b", "a"), ("a", "c")]) == ("b", "a", "c")
    assert listed(tuple(range(10)), most=2) == "the nodes 0, 1, …"
    with pytest.raises(ValueError, match=r"DAG: matrix must be square, got shape \(2, 3\)"):
        square("DAG", np.zeros((2, 3)))
