"""Tree-reweighted propagation: an upper bound, exact on trees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.inference import (
    FactorModel,
    edge_appearance,
    enumerate_model,
    grid_edges,
    mean_field,
    pairwise_bp,
    tree_reweighted,
)


def as_model(unary, edges, tables):
    n, k = unary.shape
    scopes = tuple((v,) for v in range(n)) + tuple(map(tuple, edges.tolist()))
    return FactorModel((k,) * n, scopes, (*unary, *tables))


def test_appearance_counts_spanning_trees():
    """A triangle with a tail: two of three trees contain a triangle's edge, all the tail."""
    rho = edge_appearance(4, [[0, 1], [1, 2], [2, 0], [2, 3]])
    assert_allclose(rho, [2 / 3, 2 / 3, 2 / 3, 1.0])
    grid = edge_appearance(12, grid_edges(3, 4))
    assert grid.sum() == pytest.approx(11)
    assert edge_appearance(4, [[0, 1], [2, 3]]).sum() == pytest.approx(2)


def test_trees_are_exact():
    rng = np.random.default_rng(0)
    edges = np.array([[0, 1], [1, 2], [1, 3]])
    unary, tables = rng.random((4, 3)) + 0.1, rng.random((3, 3, 3)) + 0.1
    found = tree_reweighted(unary, edges, tables)
    model = as_model(unary, edges, tables)
    assert found.log_evidence == pytest.approx(np.log(enumerate_model(model).evidence_mass))
    for v in range(4):
        assert_allclose(found.marginals[v], enumerate_model(model, (v,)).table, atol=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_log_evidence_lies_between_mean_field_and_the_bound(seed):
    rng = np.random.default_rng(seed)
    edges = grid_edges(3, 3)
    unary = rng.random((9, 2)) + 0.2
    tables = np.exp(rng.normal(size=(len(edges), 2, 2)))
    found = tree_reweighted(unary, edges, tables, damping=0.5, max_iter=5000)
    model = as_model(unary, edges, tables)
    exact = np.log(enumerate_model(model, (0,)).evidence_mass)
    assert found.status is Status.CONVERGED
    assert mean_field(model).log_evidence <= exact <= found.log_evidence + 1e-9


def test_appearance_of_one_is_belief_propagation():
    rng = np.random.default_rng(3)
    edges = grid_edges(2, 3)
    unary, table = rng.random((6, 2)) + 0.3, np.array([[1.5, 1.0], [1.0, 1.5]])
    plain = pairwise_bp(unary, edges, table, tol=1e-13)
    found = tree_reweighted(unary, edges, table, appearance=np.ones(len(edges)))
    assert_allclose(found.marginals, plain.marginals, atol=1e-8)
    assert found.log_evidence == pytest.approx(plain.log_evidence, abs=1e-8)


def test_zeros_and_bad_appearances_are_refused():
    with pytest.raises(ValueError, match="positive"):
        tree_reweighted([[1.0, 0.0], [1.0, 1.0]], [[0, 1]], np.ones((2, 2)))
    with pytest.raises(ValueError, match="appearance must be one number"):
        tree_reweighted(np.ones((2, 2)), [[0, 1]], np.ones((2, 2)), appearance=[0.0])
