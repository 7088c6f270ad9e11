import numpy as np
import pytest
from numpy.testing import assert_allclose
from worlds import World

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
