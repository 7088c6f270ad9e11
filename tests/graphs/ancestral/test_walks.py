from margin.graphs import PAG, Marks
from margin.graphs.ancestral._walks import uncovered_reach, uncovered_round


def always(*_):
    return True


def test_walks_end_where_nodes_two_steps_apart_are_joined():
    marks = Marks.of(PAG(list("abcd"), ["a o-> b", "b --> c", "c --> d", "b o-> d"]))
    ahead, joined = marks.ahead(), marks.joined()
    assert uncovered_reach(ahead, joined, 0, 1, always) == 0b1110  # d by b -> d only
    marks = Marks.of(PAG(list("abcd"), ["a o-> b", "b --> c", "c --> d", "a o-> c"]))
    assert uncovered_reach(marks.ahead(), marks.joined(), 0, 1, always) == 0b0010
    assert uncovered_reach(marks.ahead(), marks.joined(), 0, 2, always) == 0b1100


def test_unclear_triples_stop_walks():
    marks = Marks.of(PAG(list("abc"), ["a o-> b", "b --> c"]))
    ahead, joined = marks.ahead(), marks.joined()
    assert uncovered_reach(ahead, joined, 0, 1, lambda i, k, j: k != 1) == 0b010


def test_a_circle_of_four_and_none_of_three():
    square = [0b1010, 0b0101, 0b1010, 0b0101]
    edges = uncovered_round(square, square, 0, 1, always)
    assert {frozenset(edge) for edge in edges} == {
        frozenset(pair) for pair in ((0, 1), (1, 2), (2, 3), (3, 0))
    }
    triangle = [0b110, 0b101, 0b011]
    assert uncovered_round(triangle, triangle, 0, 1, always) == []
    chord = [0b1110, 0b0101, 0b1011, 0b0101]
    assert uncovered_round(chord, chord, 0, 1, always) == []
