from margin.causal import CausalGraph, MissingnessGraph
from margin.causal.missingness._factors import at_random, direct, in_turn, weighted, where_seen


def study_of(text, **indicators):
    return MissingnessGraph(CausalGraph.from_dagitty(f"dag {{ {text} }}"), indicators)


def test_each_way_and_where_it_ends():
    crossed = study_of("x -> y; x -> Ry; y -> Rx", x="Rx", y="Ry")
    names = ("x", "y")
    assert direct(crossed, names, ()) is None
    assert at_random(crossed, names) is None
    assert in_turn(crossed, names) is None
    whole = "P(x, y | Rx=1, Ry=1)"
    text = str(weighted(crossed, names))
    assert text.startswith(f"[{whole} ")
    assert "P(y | Ry=1)" in text
    masked = study_of("x -> y; y -> Ry", y="Ry")
    assert weighted(masked, names) is None
    assert in_turn(masked, names) is None


def test_without_a_reason_the_weights_are_one():
    plain = study_of("x -> y; Ry", y="Ry")
    assert str(weighted(plain, ("x", "y"))) == "P(x, y | Ry=1)"
    assert str(at_random(plain, ("x", "y"))) == "P(x) P(y | x, Ry=1)"
    assert where_seen(plain, ["x"]).seen == ()
    assert where_seen(plain, ["x", "y"]).seen == (("y", "Ry"),)
