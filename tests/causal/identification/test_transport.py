import numpy as np
import pytest
from fibres import assert_proved, proof
from numpy.testing import assert_allclose
from worlds import World, question, random_graph

from margin.causal import CausalGraph, transport


def test_a_different_age_structure_is_reweighted():
    """causal.25: the formula, and numbers against two random worlds that differ in one law"""
    graph = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])
    found = transport(graph, "x", "y", ["z"])
    assert (found.kind, found.covariates) == ("reweighted", ("z",))
    rng = np.random.default_rng(0)
    for _ in range(5):
        here, there = World(graph, rng), World(graph, rng)
        there.laws.update({n: here.laws[n] for n in "xy"})
        conditional = there.effect(("x",), ("y",), ("z",))[..., 1]
        share = here.joint().sum(axis=tuple(i for i, n in enumerate(graph.nodes) if n != "z"))
        assert_allclose(conditional @ share, here.effect(("x",), ("y",))[:, 1])


def test_frames():
    rng = np.random.default_rng(1)
    z, x = rng.integers(0, 2, (2, 4000))
    experiment = {"z": z, "x": x, "y": x * (1 + 2 * z) + rng.normal(0, 0.1, 4000)}
    graph = CausalGraph.from_edges([("z", "y"), ("x", "y")])
    found = transport(graph, "x", "y", ["z"])
    means = found.evaluate(experiment, {"z": [1, 1, 1, 0]})
    assert_allclose(means[1] - means[0], 2.5, atol=0.05)
    with pytest.raises(ValueError, match="in every stratum of the target"):
        found.evaluate(experiment, {"z": [7]})


def random_study(rng):
    """Two worlds over one graph that differ in one law, and a question."""
    graph = random_graph(5, rng, arrows=0.6, hidden=0.4)
    (x,), (y,), _ = question(graph, rng, most=1)
    names = [x, y, *(str(n) for n in rng.permutation(list(graph.nodes)) if n not in (x, y))]
    here, there = World(graph, rng), World(graph, rng)
    there.laws.update({n: law for n, law in here.laws.items() if n != names[2]})
    return graph, names, here, there


def test_formulas_over_two_populations_give_the_effects_of_the_target():
    """causal.25: districts from an experiment there and from observations here, by enumeration.

    Without a formula, two pairs of models agree in all sources and differ in the target's effect.
    """
    rng, used, refused = np.random.default_rng(4), 0, 0
    for _ in range(60):
        graph, (x, y, differs, *others), here, there = random_study(rng)
        part = str(rng.choice([x, others[0]]))
        answer = transport(graph, x, y, [differs], experiments=[[part]])
        if answer.kind == "none":
            refused += 1
            sources = [(0, ()), (1, ()), (1, (part,))]
            asked = ((x,), (y,), ())
            found = proof(graph, answer.hedge, sources, asked, rng, differs=[differs])
            assert_proved(found, answer.formula)
        if answer.kind != "general":
            continue
        used += 1
        table = there.joint({part: 0}) / 2 + there.joint({part: 1}) / 2
        laws = {part: (graph.nodes, table), (): (graph.nodes, there.joint())}
        values = answer.estimand.evaluate((graph.nodes, here.joint()), laws).values
        assert_allclose(values, here.effect((x,), (y,)), atol=1e-9, err_msg=answer.formula)
    assert used > 2
    assert refused > 10


def test_a_mediator_that_differs_is_taken_from_the_target():
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y"), ("x", "y")], [("x", "y")])
    answer = transport(graph, "x", "y", ["m"])
    assert answer.kind == "general"
    assert answer.formula == "P*(y | do(x)) = Σ_{m} P*(m | x) P(y | do(x), m)"
    latex = answer.estimand.formula("latex")
    assert latex == r"\sum_{m} P^*(m \mid x) P(y \mid do(x), m)"
    assert transport(graph, "x", "y", ["y"]).kind == "none"


def test_kinds():
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y"), ("a", "x")])
    assert transport(graph, "x", "y", []).kind == "direct"
    assert transport(graph, "x", "y", ["a"]).kind == "direct"
    target = transport(graph, "x", "y", ["y"])
    assert target.kind == "target"
    assert target.formula == "P*(y | do(x)) = P*(y | x)"
    hidden = CausalGraph.from_edges([("x", "y")], [("x", "y")])
    assert transport(hidden, "x", "y", ["y"]).kind == "none"
    with pytest.raises(ValueError, match="kind must be 'direct' or 'reweighted'"):
        target.evaluate({}, {})
    with pytest.raises(ValueError, match="outcome must be apart from the treatment"):
        transport(graph, "x", "x", [])


def test_many_covariates_take_no_search():
    names = [f"w{i}" for i in range(24)]
    graph = CausalGraph.from_edges([*((w, "y") for w in names), ("x", "y")], [("x", "y")])
    assert transport(graph, "x", "y", names).covariates == tuple(names)


def test_a_question_against_the_arrows_is_refused():
    graph = CausalGraph.from_edges([("x", "y")])
    with pytest.raises(ValueError, match="transport: outcome must be an effect of the treatment"):
        transport(graph, "y", "x", [])
