from itertools import chain, combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from worlds import World, random_graph

from margin.causal import (
    CausalGraph,
    adjustment_sets,
    forbidden_nodes,
    is_adjustment_set,
    is_back_door_set,
    minimal_adjustment_set,
    optimal_adjustment_set,
)
from margin.causal.identification._expressions import Joint
from margin.causal.identification._identify import adjusted


def subsets(items):
    return chain.from_iterable(combinations(items, r) for r in range(len(items) + 1))


@pytest.mark.parametrize("several", [False, True])
def test_the_criterion_is_the_formula(several):
    """causal.17: valid exactly when the formula gives the effect, in a world of random laws."""
    rng, seen = np.random.default_rng(0), {True: 0, False: 0}
    for _ in range(60):
        graph = random_graph(5, rng, hidden=0.15)
        names = list(rng.permutation(list(graph.nodes)))
        x, y = tuple(names[: 1 + several]), (names[1 + several],)
        world = World(graph, rng)
        table, truth = world.joint(), world.effect(x, y)
        for z in subsets(names[2 + several :]):
            value = adjusted(x, y, z).evaluate(Joint(graph.nodes, table))
            value = np.broadcast_to(
                value, [2 if name in (*x, *y) else 1 for name in graph.nodes]
            ).squeeze(axis=tuple(i for i, n in enumerate(graph.nodes) if n not in (*x, *y)))
            kept = [n for n in graph.nodes if n in (*x, *y)]
            value = value.transpose([kept.index(n) for n in (*x, *y)])
            right = bool(np.abs(value - truth).max() < 1e-9)
            assert is_adjustment_set(graph, x, y, z) == right, (graph, x, y, z)
            if is_back_door_set(graph, x, y, z):
                assert right
            seen[right] += 1
    assert min(seen.values()) > 50


def test_all_minimal_sets_are_found():
    rng, some = np.random.default_rng(1), 0
    for _ in range(80):
        graph = random_graph(6, rng, hidden=0.1)
        x, y, *rest = list(rng.permutation(list(graph.nodes)))
        rest = [node for node in graph.nodes if node in rest]
        valid = [set(z) for z in subsets(rest) if is_adjustment_set(graph, x, y, z)]
        least = [z for z in valid if not any(other < z for other in valid)]
        assert [set(z) for z in adjustment_sets(graph, x, y)] == least
        assert [set(z) for z in adjustment_sets(graph, x, y, minimal=False)] == valid
        one = minimal_adjustment_set(graph, x, y)
        assert (one is None) == (not valid)
        if one is not None:
            assert set(one) in least
            some += 1
    assert some > 20


def test_only_what_is_observed_is_used():
    graph = CausalGraph.from_edges([("a", "x"), ("b", "a"), ("b", "y"), ("x", "y")])
    assert list(adjustment_sets(graph, "x", "y", observed=["a"])) == [("a",)]
    assert minimal_adjustment_set(graph, "x", "y", observed=["a"]) == ("a",)
    assert minimal_adjustment_set(graph, "x", "y", observed=[]) is None
    assert list(adjustment_sets(graph, "x", "y", observed=[])) == []


def test_effects_of_mediators_are_forbidden():
    graph = CausalGraph.from_edges([("x", "m"), ("m", "y"), ("m", "d"), ("x", "e")])
    assert forbidden_nodes(graph, "x", "y") == ("m", "y", "d")
    assert is_adjustment_set(graph, "x", "y", "e")


def test_the_optimal_set_has_the_least_variance():
    """Linear model of eight variables: no valid set gives a smaller error of the effect."""
    graph = CausalGraph.from_edges(
        [("a", "x"), ("a", "b"), ("b", "y"), ("c", "y"), ("i", "x"), ("x", "m"), ("m", "y")]
    )
    best = optimal_adjustment_set(graph, "x", "y")
    assert set(best) == {"b", "c"}
    order = ("a", "b", "c", "i", "x", "m", "y")
    place = {name: j for j, name in enumerate(order)}
    weights = np.zeros((7, 7))
    for cause, effect in graph.directed:
        weights[place[effect], place[cause]] = 0.8
    mixing = np.linalg.inv(np.eye(7) - weights)
    covariance = mixing @ mixing.T

    def variance(z):
        """Asymptotic variance of the coefficient of x in a regression of y on x and z."""
        keep = [place["x"], *(place[name] for name in z)]
        inner = covariance[np.ix_(keep, keep)]
        slope = np.linalg.solve(inner, covariance[keep, place["y"]])
        rest = covariance[place["y"], place["y"]] - slope @ covariance[keep, place["y"]]
        return rest * np.linalg.inv(inner)[0, 0], slope[0]

    for z in adjustment_sets(graph, "x", "y", minimal=False):
        spread, slope = variance(z)
        assert_allclose(slope, 0.64, atol=1e-12)
        assert spread >= variance(best)[0] - 1e-12
