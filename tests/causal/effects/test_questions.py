import pytest

from margin.causal import CausalGraph
from margin.causal.effects._questions import as_names, question

GRAPH = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])


def asked(graph=GRAPH, treatment=("x",), outcome=("y",), adjustment=None, mediators=None):
    return question("AverageEffect", graph, treatment, outcome, adjustment, mediators)


def test_graphs_in_any_form():
    for graph in (GRAPH, "dag { z -> {x y} x -> y }", [("z", "x"), ("z", "y"), ("x", "y")]):
        assert asked(graph).covariates == ("z",)
    assert asked(None, adjustment="w").covariates == ("w",)
    front = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
    assert asked(front).mediators == ("m",)
    assert asked(front).method == "frontdoor"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"outcome": ("x",)}, "outcome must be another column than the treatment"),
        ({"adjustment": ["y"]}, "adjustment must be without treatment and outcome"),
        ({"treatment": ("q",)}, "graph must be with a node 'q'"),
        ({"adjustment": ()}, "AverageEffect: adjustment must be a set that closes all back doors"),
        ({"treatment": ("y",), "outcome": ("x",)}, "outcome must be not a cause of the treatment"),
        ({"graph": [("x", "y"), ("y", "x")]}, "cycle"),
        ({"graph": 3}, "graph must be a CausalGraph"),
        ({"graph": "dag { x -> y x <-> y }"}, "form a hedge"),
        ({"graph": "dag { z -> x -> y x <-> y }"}, "There is an instrument, 'z'"),
        (
            {"graph": "dag { w2 -> w1 -> x -> y w2 <-> x w2 <-> y }"},
            "needs neither adjustment nor a front door",
        ),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        asked(**given)


def test_names():
    assert as_names("A", "treatment", ["a", "b"]) == ("a", "b")
    for bad in (None, [], ["a", "a"]):
        with pytest.raises(ValueError, match="A: treatment must be"):
            as_names("A", "treatment", bad)
