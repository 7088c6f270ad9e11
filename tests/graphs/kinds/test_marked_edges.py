import pytest

from margin.graphs.kinds._marked_edges import checked_marks, read_marks


@pytest.mark.parametrize(
    ("edge", "triple"),
    [
        ("a --> b", ("a", "-->", "b")),
        ("a -> b", ("a", "-->", "b")),
        ("a <- b", ("b", "-->", "a")),
        ("a <-o b", ("b", "o->", "a")),
        ("a --o b", ("b", "o--", "a")),
        ("a @-@ b", ("a", "o-o", "b")),
        (("a", "<->", "b"), ("a", "<->", "b")),
        (["a b", "--", "c"], ("a b", "---", "c")),
        ("a b <-> c d", ("a b", "<->", "c d")),
        ((1, "<--", 2), (2, "-->", 1)),
    ],
)
def test_every_spelling(edge, triple):
    assert checked_marks("PAG", [edge]) == (triple,)


@pytest.mark.parametrize("edge", ["a b", "a ->", ("a", "b"), ("a", 3, "b"), 7, "a -> b -> c"])
def test_what_is_no_edge_is_refused(edge):
    with pytest.raises(ValueError, match="PAG: edges must be triples such as"):
        checked_marks("PAG", [edge])


def test_unknown_symbols_and_nodes_are_refused():
    with pytest.raises(ValueError, match="with one of -->, <->"):
        checked_marks("PAG", [("a", "=>", "b")])
    with pytest.raises(ValueError, match="between hashable nodes"):
        checked_marks("PAG", [([], "o->", "b")])


def test_texts_of_several_kinds():
    names, edges = read_marks("PAG", 'a o-> b <-o c\nd; "e f" @-@ a')
    assert names == ("a", "b", "c", "d", "e f")
    assert edges == (("a", "o->", "b"), ("c", "o->", "b"), ("e f", "o-o", "a"))
    assert read_marks("PAG", "pag {\n x <-> y\n}")[1] == (("x", "<->", "y"),)
    with pytest.raises(ValueError, match="PAG: text must be of edges"):
        read_marks("PAG", "a o-> ")
