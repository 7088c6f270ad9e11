"""Structural intervention distance, against linear models and all members of a class."""

import numpy as np
import pytest

from margin.causal import (
    CausalGraph,
    DistanceBounds,
    intervention_distance_bounds,
    structural_intervention_distance,
)
from margin.graphs import DAG, PDAG, cpdag, enumerate_dags, equivalence_class


def random_dag(p, share, rng):
    order = rng.permutation(p)
    upper = np.triu(rng.random((p, p)) < share, 1)
    matrix = np.zeros((p, p), dtype=bool)
    matrix[np.ix_(order, order)] = upper
    return DAG.from_adjacency(matrix)


def total_effects_and_covariance(dag, rng):
    p = len(dag)
    weight = dag.adjacency() * rng.uniform(0.5, 1.5, (p, p)) * rng.choice([-1, 1], (p, p))
    inverse = np.linalg.inv(np.eye(p) - weight)
    return inverse, inverse.T @ np.diag(rng.uniform(0.5, 2.0, p)) @ inverse


def wrong_effects(truth, found, rng):
    """Pairs whose effect in a random linear model is not what the found graph makes of it."""
    total, covariance = total_effects_and_covariance(truth, rng)
    wrong = 0
    for t in truth.nodes:
        parents = list(found.parents(t))
        used = [t, *parents]
        for y in truth.nodes:
            if y == t:
                continue
            claimed = 0.0
            if y not in parents:
                inner = covariance[np.ix_(used, used)]
                claimed = np.linalg.solve(inner, covariance[used, y])[0]
            wrong += abs(claimed - total[t, y]) > 1e-7
    return wrong


@pytest.mark.parametrize("seed", range(6))
def test_effects_in_random_linear_models(seed):
    rng = np.random.default_rng(seed)
    for _ in range(15):
        truth, found = random_dag(6, 0.4, rng), random_dag(6, 0.4, rng)
        distance = structural_intervention_distance(truth, found)
        assert distance == wrong_effects(truth, found, rng)


def test_zero_and_largest():
    dags = list(enumerate_dags(3))
    for truth in dags:
        for found in dags:
            distance = structural_intervention_distance(truth, found)
            assert 0 <= distance <= 6
            if set(truth.edges) <= set(found.edges):
                assert distance == 0
    empty = DAG(3, [])
    assert structural_intervention_distance(DAG(3, [(0, 1), (1, 2)]), empty) > 0
    assert structural_intervention_distance(empty, DAG(3, [(0, 1), (1, 2)])) == 0


@pytest.mark.parametrize("seed", range(5))
def test_bounds_are_those_of_the_members(seed):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        truth, found = random_dag(6, 0.4, rng), cpdag(random_dag(6, 0.5, rng))
        every = [structural_intervention_distance(truth, d) for d in equivalence_class(found)]
        bounds = intervention_distance_bounds(truth, found)
        assert bounds == DistanceBounds(min(every), max(every), exact=True)
        rough = intervention_distance_bounds(truth, found, max_members=1)
        assert rough.lower <= min(every)
        assert rough.upper >= max(every)
        assert rough.exact == (not found.undirected)


def test_several_parts_and_names():
    truth = DAG(list("dcba"), [("a", "b"), ("c", "d")])
    found = PDAG(list("abcd"), undirected=[("a", "b"), ("c", "d")])
    assert intervention_distance_bounds(truth, found) == DistanceBounds(0, 4, True)
    graph = CausalGraph(list("abcd"), [("b", "a"), ("c", "d")])
    assert structural_intervention_distance(truth, graph) == 2


def test_refusals():
    chain = DAG.from_edges([("a", "b"), ("b", "c")])
    with pytest.raises(ValueError, match=r"found must be directed \(intervention_distance_bounds"):
        structural_intervention_distance(chain, cpdag(chain))
    with pytest.raises(ValueError, match="truth must be a directed acyclic graph"):
        intervention_distance_bounds(cpdag(chain), chain)
    with pytest.raises(ValueError, match="max_members must be an integer of at least 1, got 0"):
        intervention_distance_bounds(chain, chain, max_members=0)
    with pytest.raises(ValueError, match=r"over the nodes of the truth, got \['a', 'c', 'd'\]"):
        structural_intervention_distance(chain, DAG(list("bd"), []))
