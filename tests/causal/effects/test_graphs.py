import networkx as nx
import numpy as np
import pytest

from margin.causal import FCI, GES, AverageEffect, CausalGraph, DirectLiNGAM
from margin.causal.effects._graphs import graph_of, later_nodes
from margin.graphical import PC
from margin.graphs import DAG, PAG, PDAG, MixedGraph, UndirectedGraph

ARROWS = [("z", "x"), ("z", "y"), ("x", "y")]


def test_forms():
    """One graph stays one graph, a class stays a class, hidden causes stay."""
    graph = CausalGraph.from_edges(ARROWS)
    for given in (graph, DAG(ARROWS), MixedGraph(ARROWS), PDAG(list("xyz"), ARROWS), ARROWS,
                  nx.DiGraph(ARROWS), "dag { z -> {x y} x -> y }",
                  "digraph { z -> {x y}; x -> y }"):  # fmt: skip
        assert set(graph_of("A", given).directed) == set(ARROWS)
    hidden = MixedGraph(["x", "y"], [("x", "y")], [("x", "y")])
    for given in (hidden, hidden.to_networkx(), "dag { x -> y x <-> y }"):
        assert graph_of("A", given).bidirected == (("x", "y"),)
    open_edge = PDAG(["x", "y"], [], [("x", "y")])
    for given in (open_edge, open_edge.to_networkx()):
        assert graph_of("A", given).undirected == (("x", "y"),)
    learnt = PAG(["x o-> y"])
    for given in (learnt, learnt.to_networkx(), "pag { x @-> y }"):
        assert graph_of("A", given).edges == learnt.edges


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "A: graph must be a CausalGraph, DAG"),
        (UndirectedGraph(["x", "y"], [("x", "y")]), "A: graph must be a CausalGraph"),
        (nx.Graph(ARROWS), "A: graph must be directed"),
        (MixedGraph(["x", "y"], [], [], [("x", "y")]), "A: graph must be without undirected edges"),
    ],
)
def test_what_says_nothing_of_causes(given, message):
    with pytest.raises(ValueError, match=message):
        graph_of("A", given)


def test_what_a_treatment_may_move():
    later = {"x", "y"}
    assert later_nodes(graph_of("A", ARROWS), ("z",)) == later
    assert later_nodes(PDAG(list("zxy"), [("x", "y")], [("z", "x")]), ("z",)) == later
    assert later_nodes(PAG(["z o-o x", "x --> y", "w o-> z"]), ("z",)) == later


def world(n, rng, noise):
    """Two causes of the treatment that are apart, one of which moves the outcome too."""
    a, z, ex, ey = noise(4, n)
    x = a + z + ex
    return {"a": a, "z": z, "x": x, "y": 1.5 * x - 2 * z + ey}


def test_from_a_learner_to_an_effect():
    """PC, GES, FCI and LiNGAM: the graph that was learnt goes straight in."""
    rng = np.random.default_rng(0)
    frame = world(4000, rng, lambda k, n: rng.standard_normal((k, n)))
    skew = world(2000, rng, lambda k, n: rng.exponential(size=(k, n)))
    table, names = np.column_stack(list(frame.values())), list(frame)
    numbered = dict(enumerate(table.T))
    x, y = names.index("x"), names.index("y")
    for learner in (PC(alpha=0.001), GES(), FCI(alpha=0.001)):
        graph = learner.fit(table).graph_
        model = AverageEffect(graph, x, y, method="regression").fit(numbered)
        assert model.adjustment_ == (names.index("z"),)
        assert abs(model.effect_ - 1.5) < 4 * model.std_error_ < 0.2
    graph = DirectLiNGAM().fit(np.column_stack(list(skew.values()))).graph_
    model = AverageEffect(graph, x, y).fit(dict(enumerate(skew.values())))
    assert abs(model.effect_ - 1.5) < 4 * model.std_error_ < 0.2


@pytest.mark.parametrize("graph", [PDAG(["x", "y"], [], [("x", "y")]), PAG(["x o-o y"])])
def test_a_class_that_disagrees_is_refused(graph):
    frame = {"x": np.arange(9.0), "y": np.arange(9.0)[::-1] ** 2}
    with pytest.raises(ValueError, match=r"AverageEffect: .* may, but need not, begin a causal"):
        AverageEffect(graph, "x", "y", method="regression").fit(frame)
