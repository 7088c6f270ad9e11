"""Absorption (inference.19, inference.21)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import CliqueGraph, Factor, FactorModel, enumerate_model


def assignments(model):
    return product(*(range(c) for c in model.cardinalities))


@pytest.mark.parametrize("seed", range(6))
def test_calibrated_tables_are_marginals_whatever_the_schedule(seed, random_model):
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5, zeros=seed % 2 == 0)
    mass = enumerate_model(model).evidence_mass
    graph = CliqueGraph.from_model(model)
    repeated = [pair for _ in range(len(graph.cliques)) for pair in _both(graph, rng)]
    for calibrated in (graph.calibrate(), graph.calibrate(repeated)):
        for clique in calibrated.cliques:
            wanted = enumerate_model(model, clique.scope).table * mass
            scale = clique.table.sum()
            assert_allclose(clique.table * (mass / scale if scale else 0), wanted, atol=1e-12)
        for separator, (a, _) in zip(calibrated.separators, calibrated.edges, strict=True):
            inside = calibrated.cliques[a].marginal(*separator.scope).table
            assert_allclose(separator.table, inside, atol=1e-12)


def _both(graph, rng):
    pairs = [*graph.edges, *((b, a) for a, b in graph.edges)]
    return [pairs[k] for k in rng.permutation(len(pairs))]


def test_absorption_never_changes_the_distribution(random_model):
    model = random_model(np.random.default_rng(7), 5)
    graph = CliqueGraph.from_model(model)
    wanted = [graph.value(x) for x in assignments(model)]
    assert_allclose(wanted, np.exp(model.log_prob(list(assignments(model)))), rtol=1e-12)
    for a, b in [*graph.edges, *((b, a) for a, b in graph.edges)]:
        graph = graph.absorb(a, b)
        assert_allclose([graph.value(x) for x in assignments(model)], wanted, rtol=1e-10)


def test_max_absorption_gives_max_marginals(random_model):
    model = random_model(np.random.default_rng(5), 5)
    joint = np.exp(model.log_prob(list(assignments(model)))).reshape(model.cardinalities)
    for clique in CliqueGraph.from_model(model).calibrate(maximise=True).cliques:
        away = tuple(v for v in range(5) if v not in clique.scope)
        assert_allclose(clique._aligned(sorted(clique.scope)), joint.max(axis=away), rtol=1e-10)


def test_a_multiply_connected_clique_graph_keeps_its_distribution():
    """inference.19: a ring of three cliques; the quotient survives, marginals are not promised."""
    rng = np.random.default_rng(0)
    cliques = tuple(Factor(s, rng.random((2, 2))) for s in ((0, 1), (1, 2), (2, 0)))
    separators = tuple(Factor((v,), np.ones(2)) for v in (1, 2, 0))
    graph = CliqueGraph(cliques, ((0, 1), (1, 2), (2, 0)), separators)
    model = FactorModel((2,) * 3, tuple(c.scope for c in cliques), tuple(c.table for c in cliques))
    moved = graph.calibrate([(0, 1), (1, 2), (2, 0), (0, 2), (2, 1)])
    for x in assignments(model):
        assert moved.value(x) == pytest.approx(np.exp(model.log_prob(x)[0]))


def test_zero_over_zero_is_zero_and_strangers_do_not_absorb():
    cliques = (Factor((0, 1), np.array([[1.0, 0.0], [2.0, 0.0]])), Factor((1, 2), np.eye(2)))
    graph = CliqueGraph(cliques, ((0, 1),), (Factor((1,), np.array([1.0, 0.0])),))
    moved = graph.absorb(0, 1)
    assert_allclose(moved.cliques[1].table, [[3.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="target must be a neighbour of 0, got 5"):
        graph.absorb(0, 5)
