"""Pairwise belief propagation against exact answers and a NumPy twin (inference.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Status
from margin.inference import (
    FactorModel,
    JunctionTree,
    enumerate_model,
    grid_edges,
    loopy_bp,
    pairwise_bp,
)


def as_model(unary, edges, tables):
    n, k = unary.shape
    scopes = tuple((v,) for v in range(n)) + tuple(map(tuple, np.asarray(edges).tolist()))
    tables = np.broadcast_to(tables, (len(edges), k, k))
    return FactorModel((k,) * n, scopes, (*unary, *tables))


@pytest.mark.parametrize("states", [1, 2, 3, 4, 8, 9, 16])
@pytest.mark.parametrize("schedule", ["flooding", "residual", "sweep"])
def test_trees_are_exact(states, schedule):
    rng = np.random.default_rng(states)
    n = 30
    edges = np.array([[int(rng.integers(k)), k] for k in range(1, n)])
    unary, tables = rng.random((n, states)), rng.random((n - 1, states, states))
    found = pairwise_bp(unary, edges, tables, schedule=schedule, tol=1e-14)
    model = as_model(unary, edges, tables)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    log_evidence, marginals = tree.marginals(model.tables)
    assert found.status is Status.CONVERGED
    assert_allclose(found.marginals, np.concatenate(marginals), atol=1e-12)
    assert found.log_evidence == pytest.approx(log_evidence[0], abs=1e-9)


@pytest.mark.parametrize("potts", [True, False])
@pytest.mark.parametrize("maximise", [True, False])
def test_every_schedule_finds_the_fixed_point_of_the_general_engine(potts, maximise):
    rng = np.random.default_rng(1)
    edges = grid_edges(3, 4)
    unary = rng.random((12, 3)) + 0.2
    table = np.full((3, 3), 1.0) + np.eye(3) if potts else rng.random((3, 3)) + 0.5
    twin = loopy_bp(as_model(unary, edges, table), tol=1e-12, maximise=maximise)
    assert twin.status is Status.CONVERGED
    for schedule in ("flooding", "residual", "sweep"):
        found = pairwise_bp(
            unary, edges, table, schedule=schedule, tol=1e-13, maximise=maximise, damping=0.1
        )
        assert found.status is Status.CONVERGED
        assert_allclose(found.marginals, np.stack(twin.marginals), atol=1e-9)
        if not maximise:
            assert found.log_evidence == pytest.approx(twin.log_evidence, abs=1e-8)


def test_repulsive_potts_maxima():
    """The largest other label must leave out the receiver's own."""
    rng = np.random.default_rng(0)
    table = np.full((4, 4), 2.0) - np.eye(4)
    unary = rng.random((3, 4))
    edges = np.array([[0, 1], [1, 2]])
    found = pairwise_bp(unary, edges, table, maximise=True)
    joint = enumerate_model(as_model(unary, edges, table)).table
    for v in range(3):
        best = joint.max(axis=tuple(u for u in range(3) if u != v))
        assert_allclose(found.marginals[v], best / best.sum(), atol=1e-12)


def test_threads_and_restarts_do_not_change_the_answer():
    rng = np.random.default_rng(0)
    edges = grid_edges(70, 70)
    unary = rng.random((4900, 4)) + 0.1
    table = np.ones((4, 4)) + np.eye(4)
    one = pairwise_bp(unary, edges, table, n_threads=1, tol=1e-6)
    two = pairwise_bp(unary, edges, table, n_threads=2, tol=1e-6)
    assert_array_equal(one.marginals, two.marginals)
    half = pairwise_bp(unary, edges, table, max_iter=3)
    assert half.status is Status.MAX_ITER
    assert half.n_iter == 3
    whole = pairwise_bp(unary, edges, table, messages=half.messages, tol=1e-6)
    assert whole.n_iter + 3 == one.n_iter
    assert_allclose(whole.marginals, one.marginals, atol=1e-12)


def test_hubs_zeros_and_lonely_nodes():
    """A node with 500 neighbours does not underflow; zeros are no obstacle."""
    n = 501
    edges = np.array([[0, k] for k in range(1, n)])
    unary = np.full((n, 2), 1e-3)
    unary[1:, 0] = 0.0
    found = pairwise_bp(unary, edges, [[0.9, 0.1], [0.2, 0.8]])
    odds = 500 * (np.log(0.8) - np.log(0.1))
    assert found.marginals[0, 1] == pytest.approx(1.0)
    assert np.isfinite(found.log_evidence)
    assert found.log_evidence == pytest.approx(
        n * np.log(1e-3) + np.logaddexp(500 * np.log(0.1), 500 * np.log(0.8))
    )
    assert odds > 1000
    alone = pairwise_bp([[1.0, 3.0]], np.empty((0, 2)), np.ones((2, 2)))
    assert_allclose(alone.marginals, [[0.25, 0.75]])
    assert np.exp(alone.log_evidence) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tables": np.ones((3, 3))}, "tables must be square"),
        ({"unary": [[1.0, -1.0]] * 2}, "unary must be finite and non-negative"),
        ({"unary": [[1.0, 1.0], [0.0, 0.0]]}, r"unary\[1\] must be positive somewhere"),
        ({"edges": [[0, 2]]}, "between nodes 0..1"),
        ({"edges": [[1, 1]]}, "two different nodes"),
        ({"tables": np.ones((2, 2, 2))}, "kinds must be given"),
        ({"kinds": [1]}, "kinds must be 1 numbers"),
        ({"damping": 1.0}, "damping must be in"),
        ({"schedule": "random"}, "schedule must be one of"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"messages": np.ones((1, 2))}, "messages must be"),
    ],
)
def test_bad_input_is_refused(change, message):
    good = {"unary": np.ones((2, 2)), "edges": [[0, 1]], "tables": np.ones((2, 2))}
    with pytest.raises(ValueError, match=message):
        pairwise_bp(**(good | change))
