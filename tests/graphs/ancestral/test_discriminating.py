from margin.graphs import PAG, Marks
from margin.graphs.ancestral._discriminating import discriminating_paths, visible


def paths(*edges):
    graph = PAG(list("tuabc"), edges)
    marks = Marks.of(graph)
    return {
        "".join(map(str, (graph.nodes[i] for i in path)))
        for path in discriminating_paths(marks, marks.joined(), marks.parents())
    }


def test_paths_are_as_defined():
    core = ["a <-o b", "a --> c", "b o-o c"]
    assert paths("t o-> a", *core) == {"tabc"}
    assert paths("t o-o a", *core) == set()  # a is no collider
    assert paths("t o-> a", "t o-o c", *core) == set()  # t and c are joined
    assert paths("t o-> u", "u <-> a", "u --> c", *core) == {"tuabc"}
    assert paths("t o-> u", "u --> a", "u --> c", *core) == set()  # u is no collider
    assert paths("t o-> u", "u <-> a", "u o-> c", *core) == set()  # u is no parent of c
    assert paths("t o-> a", "a <-o b", "a --> c", "b --> c") == set()  # nothing is open


def test_every_start_has_its_shortest_path():
    core = ["a <-o b", "a --> c", "b o-o c"]
    assert paths("t o-> a", "u o-> a", *core) == {"tabc", "uabc"}
    assert paths("t o-> a", "t o-> u", "u <-> a", "u --> c", *core) == {"tabc"}


def test_visibility():
    graph = PAG(["a --> b", "c o-> a", "d <-> a", "d --> b"])
    marks = Marks.of(graph)
    joined, parents = marks.joined(), marks.parents()
    place = graph.index
    assert visible(marks, place("a"), place("b"), joined, parents)
    assert visible(marks, place("d"), place("b"), joined, parents)  # by c o-> a <-> d, a --> b
    alone = Marks.of(PAG(["a --> b", "d <-> a", "d --> b"]))
    assert not visible(alone, 0, 1, alone.joined(), alone.parents())
