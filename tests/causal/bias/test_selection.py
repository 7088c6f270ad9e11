import numpy as np
import pytest

from margin.causal import CausalGraph, berkson_check, explain_association, simulate_bias


def test_berkson():
    """causal.02: independent causes are associated among the selected"""
    frame = simulate_bias("selection", 3000, strength=3.0, random_state=0).frame
    report = berkson_check(frame, "x", "y", "s")
    assert report.flagged()
    assert report.p_overall > 0.01
    assert report.selected < -0.3
    rng = np.random.default_rng(0)
    chance = {**frame, "s": rng.integers(0, 2, 3000)}
    assert berkson_check(chance, "x", "y", "s").p_change > 0.01


def test_reichenbachs_alternatives():
    """causal.04: an association has one of three reasons, or a selection"""
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y"), ("z", "x"), ("z", "y")])
    found = explain_association(graph, "x", "y")
    assert (found.causes, found.caused, found.common_causes) == (True, False, ("z",))
    assert explain_association(graph, "y", "x").caused
    assert not explain_association(graph, "x", "y", given=["m", "z"])
    hidden = CausalGraph.from_edges([("a", "x"), ("b", "y")], [("a", "b")])
    assert explain_association(hidden, "x", "y").common_causes == (("a", "b"),)
    collider = CausalGraph.from_edges([("x", "s"), ("y", "s"), ("s", "r")])
    assert not explain_association(collider, "x", "y")
    assert explain_association(collider, "x", "y", given="r").selection == ("r",)
    with pytest.raises(ValueError, match="given must be without the two variables"):
        explain_association(graph, "x", "y", given="x")


def test_the_alternatives_are_complete():
    """causal.04: on random graphs an explanation is found exactly where there is an association"""
    from worlds import random_graph

    rng = np.random.default_rng(0)
    for _ in range(300):
        graph = random_graph(5, rng)
        a, b = rng.permutation(list(graph.nodes))[:2]
        assert bool(explain_association(graph, a, b)) != graph.separated(a, b)


def test_what_is_refused():
    frame = {"x": np.arange(10.0), "y": np.arange(10.0), "s": np.zeros(10)}
    with pytest.raises(ValueError, match="selected must be 0 and 1 in at least four rows"):
        berkson_check(frame, "x", "y", "s")
    frame["s"] = np.arange(10) % 2
    frame["x"] = np.ones(10)
    with pytest.raises(ValueError, match="not constant within the selection"):
        berkson_check(frame, "x", "y", "s")
