from itertools import combinations

import numpy as np
import pytest
from worlds import random_graph

from margin.causal import (
    CausalGraph,
    front_door_sets,
    identify,
    instruments,
    is_front_door_set,
    is_instrument,
    minimal_front_door_set,
)


def test_front_doors_are_found_and_minimal():
    graph = CausalGraph.from_edges(
        [("x", "m"), ("x", "n"), ("m", "y"), ("n", "y"), ("m", "d")], [("x", "y")]
    )
    assert list(front_door_sets(graph, "x", "y")) == [("m", "n")]
    assert is_front_door_set(graph, "x", "y", ["m", "n", "d"])
    assert not is_front_door_set(graph, "x", "y", "m")
    assert not is_front_door_set(graph, "x", "y", ())


def test_a_confounded_mediator_is_no_front_door():
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y"), ("m", "y")])
    assert list(front_door_sets(graph, "x", "y")) == []
    assert identify(graph, "x", "y").kind == "none"


def test_instruments_with_and_without_covariates():
    """causal.24"""
    plain = CausalGraph.from_edges([("z", "x"), ("x", "y")], [("x", "y")])
    assert list(instruments(plain, "x", "y")) == [("z", ())]
    leaky = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")], [("x", "y")])
    assert list(instruments(leaky, "x", "y")) == []
    idle = CausalGraph(["z", "x", "y"], [("x", "y")], [("x", "y")])
    assert list(instruments(idle, "x", "y")) == []


def test_an_instrument_gives_the_slope_of_a_linear_world():
    """Cov(z, y | w) / Cov(z, x | w) is the effect wherever the criterion holds."""
    rng, checked = np.random.default_rng(0), 0
    while checked < 25:
        graph = random_graph(5, rng, hidden=0.25)
        x, y = rng.permutation(list(graph.nodes))[:2]
        for z, w in instruments(graph, x, y):
            checked += 1
            names = list(graph.nodes)
            weights = np.zeros((5, 5))
            for a, b in graph.directed:
                weights[names.index(b), names.index(a)] = rng.uniform(0.5, 1.5)
            noise = np.eye(5)
            for a, b in graph.bidirected:
                cause = np.zeros(5)
                cause[[names.index(a), names.index(b)]] = rng.uniform(0.5, 1.5, 2)
                noise += np.outer(cause, cause)
            mixing = np.linalg.inv(np.eye(5) - weights)
            covariance = mixing @ noise @ mixing.T
            inner = [names.index(n) for n in w]
            outer = [names.index(n) for n in (z, x, y)]
            rest = covariance[np.ix_(outer, outer)]
            if inner:
                cross = covariance[np.ix_(outer, inner)]
                rest = rest - cross @ np.linalg.solve(covariance[np.ix_(inner, inner)], cross.T)
            truth = mixing[names.index(y), names.index(x)]
            assert rest[0, 2] / rest[0, 1] == pytest.approx(truth, rel=1e-8, abs=1e-8)


def test_what_is_no_instrument():
    graph = CausalGraph.from_edges([("z", "x"), ("x", "y"), ("x", "d")], [("x", "y")])
    assert is_instrument(graph, "x", "y", "z")
    assert not is_instrument(graph, "x", "y", "z", given="d")
    assert not is_instrument(graph, "x", "y", "x")
    assert not is_instrument(graph, "x", "y", "d")


def subsets(nodes):
    return [c for n in range(len(nodes) + 1) for c in combinations(nodes, n)]


def test_front_doors_against_all_subsets():
    """causal.23"""
    rng, found = np.random.default_rng(1), 0
    for _ in range(300):
        graph = random_graph(6, rng, arrows=0.4, hidden=0.12)
        x, y, *others = (str(n) for n in rng.permutation(list(graph.nodes)))
        others = [n for n in graph.nodes if n in others]
        valid = [set(c) for c in subsets(others) if is_front_door_set(graph, x, y, c)]
        least = [set(c) for c in subsets(others) if set(c) in valid
                 and not any(other < set(c) for other in valid)]  # fmt: skip
        listed = list(front_door_sets(graph, x, y))
        assert [set(c) for c in listed] == least
        one = minimal_front_door_set(graph, x, y)
        assert (one is None) == (not least)
        assert one is None or set(one) in least
        found += bool(least)
    assert found > 50


def test_where_a_treatment_has_an_instrument_one_is_found():
    """causal.24: against all covariates of all nodes"""
    rng, found = np.random.default_rng(2), 0
    for _ in range(300):
        graph = random_graph(6, rng, arrows=0.4, hidden=0.2)
        x, y = (str(n) for n in rng.permutation(list(graph.nodes))[:2])
        others = [n for n in graph.nodes if n not in (x, y)]
        valid = {
            z for z in others
            for w in subsets([n for n in others if n != z]) if is_instrument(graph, x, y, z, w)
        }  # fmt: skip
        listed = list(instruments(graph, x, y))
        assert bool(listed) == bool(valid)
        for z, w in listed:
            assert z in valid
            assert is_instrument(graph, x, y, z, w)
            assert not any(is_instrument(graph, x, y, z, set(w) - {n}) for n in w)
        found += bool(valid)
    assert found > 50


def test_many_covariates_take_no_search():
    """Fifteen confounders of instrument and outcome, none of which can be left out."""
    names = [f"w{i}" for i in range(15)]
    arrows = [(w, end) for w in names for end in ("z", "y")]
    graph = CausalGraph.from_edges([*arrows, ("z", "x"), ("x", "y")], [("x", "y")])
    assert ("z", tuple(names)) in list(instruments(graph, "x", "y"))
    with pytest.raises(ValueError, match="instruments: outcome must be apart from the treatment"):
        list(instruments(graph, "x", "x"))
    with pytest.raises(ValueError, match="front_door_sets: outcome must be apart from"):
        list(front_door_sets(graph, "x", "x"))
