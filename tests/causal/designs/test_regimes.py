import pytest

from margin.causal import CausalGraph, Regime, usable_regimes


def test_tags_say_what_may_be_concluded():
    """causal.03: observed or made; what a set variable no longer tells, and what it tells now"""
    graph = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])
    frame = {"x": [0, 1], "y": [0, 1], "z": [0, 1]}
    seen, made = Regime(frame), Regime(frame, "x")
    assert not seen.interventional
    assert made.interventional
    assert not seen.says(graph, "x", "y")
    assert made.says(graph, "x", "y")
    assert made.graph(graph).parents("x") == ()
    assert seen.graph(graph) is graph
    assert usable_regimes([seen, made], "x") == (seen,)
    assert usable_regimes([seen, made], "y") == (seen, made)
    with pytest.raises(ValueError, match="targets must be columns of the frame"):
        Regime(frame, ["q"])
