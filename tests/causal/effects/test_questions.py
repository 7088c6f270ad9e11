import pytest

from margin.causal import CausalGraph
from margin.causal.effects._questions import as_names, question
from margin.graphs import PAG, PDAG

FRONT = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
NAPKIN = CausalGraph.from_dagitty("dag { w2 -> w1 -> x -> y w2 <-> x w2 <-> y }")
GRAPH = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])


def asked(
    graph=GRAPH, treatment=("x",), outcome=("y",), adjustment=None, mediators=None, way="auto"
):
    return question("AverageEffect", graph, treatment, outcome, adjustment, mediators, way)


def test_graphs_in_any_form():
    for graph in (GRAPH, "dag { z -> {x y} x -> y }", [("z", "x"), ("z", "y"), ("x", "y")]):
        assert asked(graph).covariates == ("z",)
    assert asked(None, adjustment="w").covariates == ("w",)
    front = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
    assert asked(front).mediators == ("m",)
    assert asked(front).method == "frontdoor"


def test_classes_of_graphs():
    """What learners return: the formula must hold in every graph of the class."""
    learnt = PDAG(["a", "z", "x", "y"], [("a", "x"), ("z", "x"), ("x", "y"), ("z", "y")])
    assert asked(learnt).covariates == ("z",)
    assert asked(PAG(["a o-> x", "z o-> x", "x --> y", "z --> y", "b o-> y"])).covariates == ("z",)
    # Neither causes the other in any graph of the class: covariates should leave no effect.
    arrows = [("a", "x"), ("z", "x"), ("z", "y"), ("b", "y")]
    apart = asked(PDAG([*"abzxyv"], [*arrows], [("a", "v")]))
    assert (apart.method, apart.covariates) == ("backdoor", ("z",))


def test_formulas_and_front_doors_with_covariates():
    found = asked(NAPKIN)
    assert (found.method, found.covariates) == ("general", ("w2", "w1"))
    assert asked(GRAPH, way="general").covariates == ("z",)
    shared = CausalGraph.from_edges([*FRONT.directed, ("c", "m"), ("c", "y")], [("x", "y")])
    assert asked(shared, mediators="m", adjustment="c").method == "frontdoor"
    confounded = CausalGraph.from_edges([*shared.directed, ("c", "x")], [("x", "y")])
    assert asked(confounded, mediators="m", adjustment="c").covariates == ("c",)
    with pytest.raises(ValueError, match="mediators must be a front door"):
        asked(confounded, mediators="m")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"outcome": ("x",)}, "outcome must be another column than the treatment"),
        ({"adjustment": ["y"]}, "adjustment must be without treatment, outcome and mediators"),
        ({"treatment": ("q",)}, "graph must be with a node 'q'"),
        ({"adjustment": ()}, "AverageEffect: adjustment must be a set that closes all back doors"),
        ({"treatment": ("y",), "outcome": ("x",)}, "outcome must be not a cause of the treatment"),
        ({"graph": [("x", "y"), ("y", "x")]}, "cycle"),
        ({"graph": 3}, "graph must be a CausalGraph"),
        ({"graph": "dag { x -> y x <-> y }"}, "form a hedge"),
        ({"graph": "dag { z -> x -> y x <-> y }"}, "There is an instrument, 'z'"),
        ({"graph": PAG(["x o-o y"])}, "edge between x and y may, but need not"),
        ({"graph": PDAG(["x", "y"], [("y", "x")])}, "outcome must be"),
        ({"graph": PDAG(list("axy"), [("y", "x")], [("a", "y")])}, "outcome must be"),
        ({"graph": FRONT, "way": "backdoor"}, "method must be 'auto' or 'frontdoor'"),
        ({"graph": NAPKIN, "way": "backdoor"}, "method must be 'auto' or 'plugin'"),
        ({"graph": None, "way": "general"}, "graph must be given, for a formula"),
        ({"mediators": ["m"], "way": "backdoor"}, "mediators must be left out for this method"),
        ({"graph": FRONT, "mediators": ["m"], "adjustment": ["m"]}, "adjustment must be without"),
        ({"graph": GRAPH, "mediators": ["z"]}, "mediators must be a front door"),
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
