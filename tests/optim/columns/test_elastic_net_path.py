"""Paths of the elastic net (linear.14, linear.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import enet_path as peer_path

from margin.core import Status
from margin.optim import (
    elastic_net_path,
    lars_path,
    squares_by_columns,
    strongest_penalty,
)


def data(n=60, p=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.6)
    return X, X[:, :4] @ rng.normal(size=4) + 0.5 * rng.normal(size=n)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csc_array])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.5, 0.1])
@pytest.mark.parametrize("positive", [False, True])
def test_agrees_with_scikit_learn(storage, l1_ratio, positive):
    X, y = data()
    problem = squares_by_columns(storage(X), y, np.full(60, 1 / 60), intercept=False, many=True)
    top = strongest_penalty(problem, l1_ratio, positive=positive)
    alphas = np.geomspace(top, 0.01 * top, 20)
    found = elastic_net_path(problem, alphas, l1_ratio, tol=1e-10, positive=positive)
    grid, coefs, _ = peer_path(
        X, y, l1_ratio=l1_ratio, alphas=alphas, positive=positive, tol=1e-12, max_iter=100_000
    )
    assert_allclose(found.alphas, grid)
    assert_allclose(found.coefs, coefs, atol=1e-5)
    assert found.solution.status is Status.CONVERGED
    assert not found.coefs[:, 0].any()
    assert found.coefs[:, 1].any()


def test_passes_through_the_breakpoints_of_the_exact_path():
    """linear.14: two engines, one path."""
    X, y = data(n=50, p=10)
    exact = lars_path(X, y)
    problem = squares_by_columns(X, y, np.full(50, 1 / 50), intercept=False)
    found = elastic_net_path(problem, exact.alphas[:-1], 1.0, tol=1e-13)
    assert_allclose(found.coefs, exact.coefs[:, :-1], atol=1e-6)


def test_gaps_bound_the_distance_to_the_minimum():
    """optim.20: along a loose path every objective is within its gap of the tight one."""
    X, y = data()
    shares = np.full(60, 1 / 60)
    alphas = np.geomspace(0.5, 0.01, 15)
    loose = elastic_net_path(
        squares_by_columns(X, y, shares, intercept=True), alphas, 0.9, tol=1e-3
    )
    tight = elastic_net_path(
        squares_by_columns(X, y, shares, intercept=True), alphas, 0.9, tol=1e-12
    )
    excess = loose.solution.trace["objective"] - tight.solution.trace["objective"]
    assert (excess >= -1e-12).all()
    assert (excess <= loose.gaps + 1e-12).all()
    assert loose.solution.certificate.value <= 1e-3


def test_says_when_it_was_cut_short():
    X, y = data()
    problem = squares_by_columns(X, y, None, intercept=True)
    alphas = np.array([strongest_penalty(problem, 1.0) * 1e-3])
    found = elastic_net_path(problem, alphas, 1.0, tol=1e-12, max_iter=1)
    if found.solution.status is not Status.CONVERGED:
        assert found.solution.status is Status.MAX_ITER
        assert "max_iter=1" in found.solution.message
    impossible = elastic_net_path(problem, alphas, 1.0, tol=1e-300)
    assert impossible.solution.status in (Status.STALLED, Status.CONVERGED)
