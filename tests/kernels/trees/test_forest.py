"""Trees as arrays."""

import networkx as nx
import pytest

from margin.kernels.trees._forest import forest_of

TREE = ("S", ("A", "a", "b"), "c", ("A", "a", "b"))


def test_children_come_before_their_parents():
    forest, n = forest_of("K", [TREE, (), "x"], [("y",)])
    assert n == 3
    assert len(forest) == 4
    assert forest.offsets.tolist() == [0, 8, 8, 9, 10]
    assert forest.labels[7] == "S"
    assert [forest.labels[c] for c in forest.below(7)] == ["A", "c", "A"]
    assert all(c < node for node in range(8) for c in forest.below(node))


def test_rules_and_subtrees():
    forest, _ = forest_of("K", [TREE], None)
    rules, (ids, sizes) = forest.rules(), forest.subtrees()
    first, _, last = forest.below(7)
    assert rules[first] == rules[last] >= 0
    assert rules[first] != rules[7]
    assert (rules < 0).sum() == 5
    assert ids[first] == ids[last]
    assert sizes[ids[first]] == 3
    assert sizes[ids[7]] == 8


def test_graphs_from_the_root_down():
    graph = nx.DiGraph([("r", 1), ("r", 2), (1, 3)])
    nx.set_node_attributes(graph, {"r": "S", 1: "A", 2: "B", 3: "a"}, "label")
    forest, _ = forest_of("K", [graph, ("S", ("A", "a"), "B"), nx.DiGraph()], None)
    ids, _ = forest.subtrees()
    assert ids[:4].tolist() == ids[4:].tolist()


def test_deep_trees_need_no_recursion():
    tree = "end"
    for _ in range(5000):
        tree = ("n", tree)
    forest, _ = forest_of("K", [tree], None)
    assert len(forest.labels) == 5001


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([1, 2], r"K: X\[0\] must be a tree of tuples"),
        ((("a",), "b"), r"K: X\[0\] must be a tree of tuples"),
        (("a", ["b"]), r"K: X\[0\] must be a tree of tuples"),
        (("a", ()), r"K: X\[0\] must be a tree of tuples"),
        (nx.path_graph(3), r"K: X\[0\] must be a directed graph from the root down"),
        (nx.DiGraph([(0, 1), (2, 1)]), r"K: X\[0\] must be a tree with one root"),
        (nx.DiGraph([(0, 1), (2, 3), (3, 2)]), r"K: X\[0\] must be connected"),
        (("a", float("nan")), "K: labels must be equal to themselves"),
    ],
)
def test_what_is_no_tree_is_refused(tree, message):
    with pytest.raises(ValueError, match=message):
        forest_of("K", [tree], None)


def test_labels_at_all_nodes_or_none():
    graph = nx.DiGraph([(0, 1)])
    graph.nodes[0]["label"] = "a"
    with pytest.raises(ValueError, match="labelled at all nodes or at none"):
        forest_of("K", [graph], None)
    with pytest.raises(ValueError, match="K: X must be a list of trees, got 'str'"):
        forest_of("K", "tree", None)
