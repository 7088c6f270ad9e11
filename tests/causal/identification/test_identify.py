from itertools import product

import numpy as np
import pytest
from fibres import Family, assert_proved, proof
from numpy.testing import assert_allclose
from worlds import World, question, random_graph

from margin.causal import CausalGraph, identify
from margin.datasets import load_berkeley, load_kidney_stones
from margin.graphs import DAG, PDAG, MixedGraph


@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize(("conditional", "count"), [(False, 100), (True, 40)])
def test_a_formula_is_right_and_where_there_is_none_two_models_prove_it(block, conditional, count):
    """A thousand graphs, causal.25: formulas against truncated products.

    Without a formula, two models of the graph have the same law and different effects.
    """
    rng, found = np.random.default_rng([block, conditional]), 0
    for _ in range(count):
        graph = random_graph(rng.integers(4, 7), rng, hidden=rng.uniform(0.05, 0.45))
        x, y, w = question(graph, rng, conditional)
        estimand = identify(graph, x, y, w, method=str(rng.choice(["auto", "general"])))
        if not estimand.identifiable:
            assert_proved(proof(graph, estimand.hedge, [(0, ())], (x, y, w), rng), str(graph))
            continue
        found += 1
        family = Family(graph)
        model = rng.uniform(0.1, 0.9, family.length)
        answer = estimand.evaluate((graph.nodes, family.table(model)))
        assert answer.names == (*x, *w, *y)
        truth = family.effect(model, x, y, w)[0]
        assert_allclose(answer.values, truth, atol=1e-9, err_msg=str(estimand))
    assert 0.3 * count < found < 0.95 * count


def test_ways_agree_where_several_work():
    rng, compared = np.random.default_rng(7), 0
    for _ in range(200):
        graph = random_graph(5, rng)
        x, y, _ = question(graph, rng)
        first, general = (identify(graph, x, y, method=m) for m in ("auto", "general"))
        assert first.identifiable == general.identifiable
        if first.kind in ("backdoor", "frontdoor"):
            compared += 1
            table = (graph.nodes, World(graph, rng).joint())
            assert_allclose(first.evaluate(table).values, general.evaluate(table).values, atol=1e-9)
    assert compared > 40


def test_many_mediators_take_no_search():
    """Every way is polynomial: with forty of them the subsets would never end."""
    names = [f"m{i}" for i in range(40)]
    arrows = [("x", m) for m in names] + [(m, "y") for m in names]
    clean = CausalGraph.from_edges(arrows, [("x", "y")])
    assert identify(clean, "x", "y").adjustment == tuple(names)
    one_is_not = CausalGraph.from_edges(arrows, [("x", "y"), ("m0", "y")])
    assert identify(one_is_not, "x", "y").hedge.smaller == ("m0", "y")


def test_a_question_against_the_arrows_is_refused():
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y"), ("m", "w"), ("y", "w")])
    with pytest.raises(ValueError, match="identify: outcome must be an effect of the treatment"):
        identify(graph, "y", "x")
    with pytest.raises(ValueError, match=r"the arrows lead from 'm' to \('y',\)"):
        identify(graph, "y", ["m", "x"])
    # What is selected by an effect of the treatment depends on the treatment.
    assert identify(graph, "y", "m", given="w").identifiable
    assert identify(graph, "x", ["m", "y"]).identifiable
    assert identify(CausalGraph(["x", "y"]), "x", "y").formula() == "P(y | x)"


@pytest.mark.parametrize("kind", ["dag", "networkx", "mixed", "pdag"])
def test_graphs_of_any_kind_that_is_one_graph(kind):
    import networkx as nx

    arrows = [("z", "x"), ("z", "y"), ("x", "y")]
    graph = {
        "dag": DAG(arrows),
        "networkx": nx.DiGraph(arrows),
        "mixed": MixedGraph(["z", "x", "y"], arrows),
        "pdag": PDAG(["z", "x", "y"], arrows),
    }[kind]
    assert identify(graph, "x", "y").formula() == "Σ_{z} P(y | x, z) P(z)"


def test_of_a_class_experiments_are_refused_and_not_ignored():
    with pytest.raises(ValueError, match="identify: experiments must be left out for a PDAG"):
        identify(PDAG(["a", "b"], [], [("a", "b")]), "a", "b", experiments=["a"])


def test_the_front_door():
    """causal.23"""
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
    estimand = identify(graph, "x", "y")
    assert (estimand.kind, estimand.adjustment) == ("frontdoor", ("m",))
    assert estimand.formula() == "Σ_{m} P(m | x) Σ_{x'} P(x') P(y | x', m)"
    assert estimand.formula("latex") == (r"\sum_{m} P(m \mid x) \sum_{x'} P(x') P(y \mid x', m)")


def test_the_napkin_needs_a_ratio():
    graph = CausalGraph.from_edges(
        [("w2", "w1"), ("w1", "x"), ("x", "y")], [("w2", "x"), ("w2", "y")]
    )
    estimand = identify(graph, "x", "y")
    assert estimand.kind == "general"
    assert "/" in estimand.formula()
    assert r"\frac" in estimand.formula("latex")
    assert r"\mathrm{w2}" in estimand.formula("latex")


def test_the_napkin_is_evaluated_though_its_formula_names_a_cause_that_does_not_matter():
    graph = CausalGraph.from_edges(
        [("w2", "w1"), ("w1", "x"), ("x", "y")], [("w2", "x"), ("w2", "y")]
    )
    world = World(graph, np.random.default_rng(0))
    estimand = identify(graph, "x", "y")
    answer = estimand.evaluate((graph.nodes, world.joint()))
    assert_allclose(answer.values, world.effect(("x",), ("y",)), atol=1e-12)
    assert estimand.expression.free == {"x", "y"}


def experiment_law(world, nodes):
    """The table of an experiment that assigns some nodes by fair coins."""
    settings = list(product(range(2), repeat=len(nodes)))
    return sum(world.joint(dict(zip(nodes, s, strict=True))) for s in settings) / len(settings)


def surrogate_graph(rng):
    """A random graph in which a cause of the treatment shares hidden causes with everything."""
    graph = random_graph(5, rng, hidden=0.15)
    z, x, y = sorted(rng.choice(5, 3, replace=False))
    order = graph.with_hidden().topological_order()
    z, x, y = (tuple(n for n in order if n in graph)[i] for i in (z, x, y))
    arrows = {*graph.directed, (z, x), (x, y)} - {(z, y)}
    pairs = {*map(frozenset, graph.bidirected), frozenset([z, x]), frozenset([z, y])}
    pairs -= {frozenset([x, y])}
    return (
        CausalGraph(graph.nodes, sorted(arrows), sorted(tuple(sorted(p)) for p in pairs)),
        z,
        x,
        y,
    )


def test_experiments_on_other_variables_give_effects_that_observations_do_not():
    """z-identification: formulas from experiments equal what setting the treatment does.

    Where there is none, two models agree in the observations and in all experiments.
    """
    rng, used, refused = np.random.default_rng(3), 0, 0
    for _ in range(100):
        graph, z, x, y = surrogate_graph(rng)
        if identify(graph, x, y).identifiable:
            continue
        other = next(n for n in graph.nodes if n not in {x, y, z})
        estimand = identify(graph, x, y, experiments=[[z], [z, other]])
        if not estimand.identifiable:
            refused += 1
            sources = [(0, ()), (0, (z,)), (0, (z, other))]
            asked = ((x,), (y,), ())
            assert_proved(proof(graph, estimand.hedge, sources, asked, rng), str(graph))
            continue
        used += 1
        assert estimand.kind == "experiments"
        assert "do(" in estimand.formula()
        world = World(graph, rng)
        laws = {part: (graph.nodes, experiment_law(world, part)) for part in ((z,), (z, other))}
        answer = estimand.evaluate((graph.nodes, world.joint()), laws)
        assert_allclose(answer.values, world.effect((x,), (y,)), atol=1e-9, err_msg=str(estimand))
    assert used > 15
    assert refused > 8


def test_an_experiment_on_the_treatment_needs_no_formula():
    graph = CausalGraph.from_edges([("x", "y")], [("x", "y")])
    estimand = identify(graph, "x", "y", experiments=["x"])
    assert estimand.formula() == "P(y | do(x))"
    assert estimand.formula("latex") == r"P(y \mid do(x))"
    assert identify(graph, "x", "y", experiments=[["y"]]).kind == "none"


def test_kidney_stones_and_berkeley():
    """Golden numbers of causal.17."""
    data = load_kidney_stones()
    graph = CausalGraph.from_edges(data.edges)
    answer = identify(graph, "treatment", "recovered").evaluate(data.network)
    assert answer.levels["treatment"] == ("A", "B")
    yes = answer.levels["recovered"].index("yes")
    assert_allclose(answer.values[:, yes], [0.8325462174, 0.778875], atol=1e-10)
    frame = {"treatment": data.data[:, 0], "size": data.data[:, 1], "recovered": data.target}
    again = identify(graph, "treatment", "recovered").evaluate(frame)
    assert_allclose(again.values[:, 1], [0.8325462174, 0.778875], atol=1e-10)
    berkeley = load_berkeley()
    names = berkeley.nodes
    graph = CausalGraph.from_edges(berkeley.edges)
    sex, admitted = names[0], names[-1]
    between = next(name for name in names if name not in (sex, admitted))
    # The direct effect of sex, departments as they are: adjusting for what it acts through.
    joint = berkeley.network.query(list(names))
    direct = identify(
        CausalGraph([sex, between, admitted], [(between, admitted), (sex, admitted)]),
        sex, admitted, adjustment=[between],
    ).evaluate((joint.variables, joint.values))  # fmt: skip
    level = list(joint.states[joint.variables.index(admitted)])
    values = dict(
        zip(
            joint.states[joint.variables.index(sex)],
            direct.values[:, next(i for i, s in enumerate(level) if str(s) in ("yes", "admitted"))],
            strict=True,
        )
    )
    assert_allclose(sorted(values.values()), [0.3947909894, 0.4381626096], atol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"treatment": "q"}, "node must be one of the nodes"),
        ({"treatment": ()}, "identify: treatment must be at least one node"),
        ({"outcome": "x"}, "identify: treatment, outcome and given must be three sets"),
        ({"method": "sideways"}, "identify: method must be 'auto'"),
        ({"adjustment": ["m"]}, "identify: adjustment must be a set that closes all back doors"),
        ({"method": "backdoor"}, "identify: method must be one that works: no covariates suffice"),
        ({"graph": "x -> y"}, "identify: graph must be a CausalGraph"),
    ],
)
def test_what_is_refused(arguments, message):
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
    given = {"graph": graph, "treatment": "x", "outcome": "y", **arguments}
    with pytest.raises(ValueError, match=message):
        identify(**given)
