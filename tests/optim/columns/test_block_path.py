"""Elastic nets of several targets that share their features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.linear_model import MultiTaskElasticNet

from margin.core import Status
from margin.optim import BlockSquares, block_path, elastic_net_path, squares_by_columns


def data(n=60, p=12, k=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    W = np.zeros((p, k))
    W[:4] = rng.normal(size=(4, k))
    return X, X @ W + 0.1 * rng.normal(size=(n, k))


def violation(X, Y, W, l1, l2):
    """Distance of minus the slope from the subdifferential of the penalty, row by row."""
    slope = X.T @ (X @ W - Y) / len(Y) + l2 * W
    length = np.linalg.norm(W, axis=1, keepdims=True)
    moved = slope + l1 * np.divide(W, length, out=np.zeros_like(W), where=length > 0)
    at_rest = np.maximum(np.linalg.norm(slope, axis=1) - l1, 0.0)
    return np.where(length[:, 0] > 0, np.linalg.norm(moved, axis=1), at_rest).max()


@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sparse.csc_array])
@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.0])
def test_optimal_at_every_strength(storage, ratio):
    """linear.14, linear.15: the conditions of optimality with lengths of rows."""
    X, Y = data()
    problem = BlockSquares(storage(X), Y)
    alphas = np.geomspace(problem.strongest / (ratio or 1.0), 0.01, 6)
    path = block_path(problem, alphas, ratio, tol=1e-14, max_iter=10000)
    assert path.solution.status is Status.CONVERGED
    for k, alpha in enumerate(path.alphas):
        W = path.coefs[:, :, k].T
        assert violation(X, Y, W, alpha * ratio, alpha * (1 - ratio)) < 1e-6


def test_rows_enter_together_below_the_strongest_penalty():
    X, Y = data()
    problem = BlockSquares(X, Y)
    path = block_path(
        problem, problem.strongest * np.array([1.0, 0.5]), 1.0, tol=1e-12, max_iter=99
    )
    assert not path.coefs[:, :, 0].any()
    used = path.coefs[:, :, 1] != 0
    assert (used.all(axis=0) | ~used.any(axis=0)).all()
    assert used.any()


def test_one_target_is_the_elastic_net():
    X, Y = data(k=1)
    alphas = np.geomspace(1.0, 0.01, 5)
    block = block_path(BlockSquares(X, Y), alphas, 0.7, tol=1e-14, max_iter=5000)
    shares = np.full(len(Y), 1.0 / len(Y))
    squares = squares_by_columns(X, Y[:, 0], shares, intercept=False)
    alone = elastic_net_path(squares, alphas, 0.7, tol=1e-14)
    assert_allclose(block.coefs[0], alone.coefs, atol=1e-7)


def test_agrees_with_scikit_learn():
    X, Y = data(n=30, p=50)
    path = block_path(BlockSquares(X, Y), np.array([0.05]), 0.8, tol=1e-13, max_iter=10000)
    peer = MultiTaskElasticNet(0.05, l1_ratio=0.8, fit_intercept=False, tol=1e-13, max_iter=10000)
    assert_allclose(path.coefs[:, :, 0], peer.fit(X, Y).coef_, atol=1e-6)


def test_gap_bounds_the_excess_and_limits_hold():
    X, Y = data()
    problem = BlockSquares(X, Y)
    loose = block_path(problem, np.array([0.05]), 1.0, tol=1e-2, max_iter=1000)
    tight = block_path(problem, np.array([0.05]), 1.0, tol=1e-14, max_iter=1000)
    assert 0 <= loose.solution.objective - tight.solution.objective <= loose.gaps[0]
    cut = block_path(problem, np.array([1e-6]), 1.0, tol=1e-14, max_iter=1)
    assert cut.n_iters.tolist() == [1]
    assert cut.solution.status is Status.MAX_ITER
    assert "max_iter=1 sweeps" in cut.solution.message


def test_degenerate_tables():
    silent = block_path(BlockSquares(np.eye(3), np.zeros((3, 2))), [0.1], 1.0, tol=0, max_iter=5)
    assert not silent.coefs.any()
    X, Y = data()
    X[:, 3] = 0.0
    assert not block_path(BlockSquares(X, Y), [0.0], 1.0, tol=1e-9, max_iter=50).coefs[:, 3].any()
