from margin.graphs import PAG, Marks, MixedGraph

TEXT = ["a o-> b", "c --> b", "b --> d", "c --- e", "e o-o a"]


def test_there_and_back():
    graph = PAG(TEXT)
    assert Marks.of(graph).graph(graph.nodes) == graph
    mixed = MixedGraph([*"abc"], [("a", "b")], [("b", "c")])
    assert Marks.of(mixed).graph([*"abc"]) == PAG.from_mixed(mixed)


def test_settling_leaves_what_is_asked_to_be_both():
    marks = Marks.open([0b110, 0b001, 0b001])
    assert marks.settle([0b110, 0, 0], [0b010, 0, 0])
    assert marks.graph([*"abc"]) == PAG(["a o-o b", "c o-> a"])
    assert not marks.settle([0b010, 0, 0], [0b010, 0, 0])
    assert not marks.settle([0, 0, 0], [0b100, 0, 0])  # never against what is known


def test_removal_and_relatives():
    graph = PAG(TEXT)
    marks = Marks.of(graph)
    a, b, c, d, e = (graph.index(node) for node in "abcde")
    assert marks.parents()[b] == 1 << c
    assert marks.ahead()[a] == 1 << b | 1 << e
    triples = set(marks.unshielded())
    assert (min(a, c), b, max(a, c)) in triples
    marks.remove(b, c)
    assert marks.graph(graph.nodes).mark("c", "b") is None
    assert (min(a, c), b, max(a, c)) not in set(marks.unshielded())
    assert (min(a, d), b, max(a, d)) in triples
