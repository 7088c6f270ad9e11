import pytest

from margin.causal import CausalGraph, MissingnessGraph
from margin.graphs import DAG

ARROWS = [("x", "y"), ("x", "R")]


def test_what_a_study_knows():
    study = MissingnessGraph(DAG(ARROWS), {"y": "R"})
    assert study.variables == ("x", "y")
    assert study.always_seen == ("x",)
    assert study.signs(["x", "y"]) == ("R",)
    assert study.substantive.directed == (("x", "y"),)
    assert study.independent("y", ("R",), ("x",))
    assert not study.independent("y", ("R",), ())
    assert study.independent((), ("R",), ())


@pytest.mark.parametrize(
    ("arrows", "mechanism"),
    [
        ([("x", "y"), ("c", "R")], "MCAR"),
        (ARROWS, "MAR"),
        ([("x", "y"), ("y", "R")], "MNAR"),
    ],
)
def test_mechanisms(arrows, mechanism):
    graph = CausalGraph.from_edges(arrows, latent=["c"] if ("c", "R") in arrows else [])
    assert MissingnessGraph(graph, {"y": "R"}).mechanism == mechanism


@pytest.mark.parametrize(
    ("arrows", "indicators", "message"),
    [
        ([*ARROWS, ("R", "z")], {"y": "R"}, "graph must be without arrows from an indicator"),
        (ARROWS, {"y": "R", "x": "R"}, "indicators must be a mapping"),
        (ARROWS, ["y"], "indicators must be a mapping"),
        (ARROWS, {"y": "x", "x": "R"}, "no indicators themselves"),
        (ARROWS, {"q": "R"}, "node must be one of the nodes"),
    ],
)
def test_what_is_refused(arrows, indicators, message):
    with pytest.raises(ValueError, match=message):
        MissingnessGraph(DAG(arrows), indicators)
