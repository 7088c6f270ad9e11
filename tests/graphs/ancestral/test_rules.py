"""The ten rules one by one; together they are held against brute force in test_pag_of."""

import pytest

from margin.graphs import PAG, Marks, Rules

SQUARE = ["a o-o b", "b o-o c", "c o-o d", "d o-o a"]


def closed(edges, collider=None, unclear=(), selection=True):
    graph = PAG(edges)
    marks = Marks.of(graph)
    place = graph.index
    triples = frozenset(
        (min(place(i), place(j)), place(k), max(place(i), place(j))) for i, k, j in unclear
    )
    Rules(lambda paths: collider, triples, selection).close(marks)
    return marks.graph(graph.nodes)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (["a o-> b", "b o-o c"], ["a o-> b", "b --> c"]),  # 1
        (["a --> b", "b o-> c", "a o-o c"], ["a --> b", "b o-> c", "a o-> c"]),  # 2
        (["a o-> b", "b --> c", "a o-o c"], ["a o-> b", "b --> c", "a o-> c"]),  # 2
        (
            ["a o-> b", "c o-> b", "a o-o d", "c o-o d", "d o-o b"],
            ["a o-> b", "c o-> b", "a o-o d", "c o-o d", "d o-> b"],
        ),  # 3
        (
            ["a o-o b", "b o-o c", "c o-o d", "d o-o a"],
            ["a --- b", "b --- c", "c --- d", "d --- a"],
        ),
        (["a --- b", "b o-o c"], ["a --- b", "b --o c"]),  # 6
        (["b o-- a", "b o-o c"], ["b o-- a", "b --o c"]),  # 7
        (["a --> b", "b --> c", "a o-> c"], ["a --> b", "b --> c", "a --> c"]),  # 8
        (["b o-- a", "b --> c", "a o-> c"], ["b o-- a", "b --> c", "a --> c"]),  # 8
        (
            ["a o-> c", "a o-o b", "b o-o d", "d o-> c"],
            ["a --> c", "a o-o b", "b o-o d", "d --> c"],
        ),  # 9, from both ends
        (
            ["a o-> c", "a o-o b", "a o-o d", "b --> c", "d --> c"],
            ["a --> c", "a o-o b", "a o-o d", "b --> c", "d --> c"],
        ),  # 10
    ],
)
def test_each_rule(edges, expected):
    assert closed(edges) == PAG(expected)
    assert closed(expected) == PAG(expected)


def test_discriminating_paths_ask_what_the_middle_is():
    edges = ["t o-> a", "a <-> b", "a --> c", "b o-> c"]
    arrow = PAG(["t o-> a", "a <-> b", "a --> c", "b --> c"])
    both = PAG(["t o-> a", "a <-> b", "a --> c", "b <-> c"])
    assert closed(edges, collider=False) == arrow
    assert closed(edges, collider=True) == both
    assert closed(edges, collider=None) == PAG(edges)


def test_unclear_triples_carry_no_rule():
    chain = ["a o-> b", "b o-o c"]
    assert closed(chain, unclear=["abc"]) == PAG(chain)
    assert closed(SQUARE, unclear=["abc"]) == PAG(SQUARE)


def test_without_selection_nothing_is_undirected():
    assert closed(SQUARE, selection=False) == PAG(SQUARE)


def test_contradictory_demands_leave_the_mark_open():
    # 1 asks for b --> c from a, and for c --> b from d, at once
    edges = ["a o-> b", "d o-> c", "b o-o c"]
    assert closed(edges).mark("b", "c") == "circle"
