import pickle

import pytest

from margin.graphs import DAG, PDAG, ChainGraph, FactorGraph, MixedGraph, UndirectedGraph

NAMES = ["a", "b", "c"]
GRAPHS = [
    DAG(NAMES, [("a", "b"), ("c", "b")]),
    UndirectedGraph(NAMES, [("a", "b")]),
    PDAG(NAMES, [("a", "b")], [("b", "c")]),
    ChainGraph(NAMES, [("a", "b")], [("b", "c")]),
    MixedGraph(NAMES, [("a", "b")], [("a", "b")], [("a", "c")]),
    FactorGraph(NAMES, {"f": ["a", "b"], "g": []}),
]
KINDS = [type(graph).__name__ for graph in GRAPHS]


@pytest.mark.parametrize("graph", GRAPHS, ids=KINDS)
def test_a_graph_is_a_value(graph):
    copy = pickle.loads(pickle.dumps(graph))
    assert copy == graph
    assert hash(copy) == hash(graph)
    assert repr(copy) == repr(graph)
    assert graph != "graph"
    with pytest.raises(AttributeError):
        graph.nodes = ()


@pytest.mark.parametrize("graph", GRAPHS, ids=KINDS)
def test_skops_saves_it(graph):
    skops = pytest.importorskip("skops.io")
    data = skops.dumps({"graph_": graph})
    again = skops.loads(data, trusted=skops.get_untrusted_types(data=data))["graph_"]
    assert again == graph
    assert again.nodes == graph.nodes


@pytest.mark.parametrize("graph", GRAPHS, ids=KINDS)
def test_unknown_nodes_are_named(graph):
    with pytest.raises(ValueError, match=r"node must be one of the nodes 'a', 'b', 'c'.*got 'z'"):
        graph.index("z")
    with pytest.raises(ValueError, match=r"got \['a'\]"):
        graph.index(["a"])
    assert "a" in graph
    assert "z" not in graph


def test_order_of_nodes_and_edges_does_not_matter_for_equality():
    assert DAG(["a", "b", "c"], [("a", "b"), ("b", "c")]) == DAG(
        ["c", "b", "a"], [("b", "c"), ("a", "b")]
    )
    assert DAG(2, [(0, 1)]) != DAG(2, [(1, 0)])
    assert DAG(2) != UndirectedGraph(2)
    assert UndirectedGraph(2, [(0, 1)]) == UndirectedGraph(2, [(1, 0)])


@pytest.mark.parametrize("make", [DAG, UndirectedGraph, PDAG, ChainGraph, MixedGraph])
@pytest.mark.parametrize(
    ("nodes", "edges", "message"),
    [
        (["a", "a"], [], r"nodes must be distinct and not None or NaN, got 'a'"),
        ([None], [], r"nodes must be distinct and not None or NaN, got None"),
        ([float("nan")], [], r"nodes must be distinct and not None or NaN, got nan"),
        ([["a"]], [], r"nodes must be hashable, got \['a'\]"),
        ("ab", [], r"nodes must be a number or a collection of names, got 'ab'"),
        (-1, [], r"nodes must be a number of at least 0 or the names, got -1"),
        (2.5, [], r"nodes must be a number or a collection"),
        (["a", "b"], [("a", "z")], r"must be between the nodes 'a', 'b', got \('a', 'z'\)"),
        (["a", "b"], [("a", "a")], r"must be between two different nodes, got \('a', 'a'\)"),
        (["a", "b"], [("a",)], r"must be pairs of nodes, got \('a',\)"),
        (["a", "b"], ["ab"], r"must be pairs of nodes, got 'ab'"),
        (["a", "b"], [3], r"must be pairs of nodes, got 3"),
        (["a", "b"], [("a", ["b"])], r"must be between the nodes"),
    ],
)
def test_bad_input_is_refused(make, nodes, edges, message):
    with pytest.raises(ValueError, match=f"{make.__name__}: .*{message}"):
        make(nodes, edges)


def test_members_never_splits_strings_and_takes_tuples_that_are_nodes():
    pair = ("a", "b")
    graph = UndirectedGraph([pair, "a", "b", "ab"])
    assert graph.members(pair) == (pair,)
    assert graph.members(["a", "b"]) == ("a", "b")
    assert graph.members("ab") == ("ab",)
    with pytest.raises(ValueError, match="got 'ba'"):
        graph.members("ba")


def test_a_long_list_of_nodes_is_cut_in_messages():
    with pytest.raises(ValueError, match="0, 1, 2, 3, 4, 5, 6, 7, …, got 99"):
        DAG(50).parents(99)


@pytest.mark.parametrize("make", [DAG, UndirectedGraph, PDAG, ChainGraph, MixedGraph, FactorGraph])
def test_the_empty_graph_is_a_graph(make):
    graph = make(0)
    assert len(graph) == 0
    assert graph.edges == ()
    assert graph.to_dot().count("n0") == 0
