"""Sparse least squares by columns agree with the dense ones; nothing is centred explicitly."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.optim.columns._dense_squares import DenseSquares
from margin.optim.columns._sparse_squares import SparseSquares
from margin.optim.columns._squares import Goal, Shrinkage


def data(dtype=np.float64, n=60, p=12, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) * (rng.random((n, p)) < 0.4)).astype(dtype)
    return X, rng.normal(size=n) + 1.0, rng.random(n)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_agrees_with_dense(dtype, index_type, weighted, intercept):
    X, y, weight = data(dtype)
    weight = weight if weighted else None
    C = sparse.csc_array(X)
    C.indices, C.indptr = C.indices.astype(index_type), C.indptr.astype(index_type)
    one = SparseSquares(C, y, weight, intercept=intercept)
    two = DenseSquares(X, y, weight, intercept=intercept)
    assert_allclose(one.start, two.start, atol=1e-10)
    index, penalty, goal = np.array([1, 4, 10, 3]), Shrinkage(0.3, 0.1), Goal(violation=1e-11)
    v, w = np.zeros(12), np.zeros(12)
    one.solve(index, v, penalty, goal)
    two.solve(index, w, penalty, goal)
    assert_allclose(v, w, atol=1e-9)
    assert w.any()
    assert_allclose(one.residual(w), two.residual(w), atol=1e-10)
    assert_allclose(one.correlations(one.residual(w)), two.correlations(two.residual(w)), atol=1e-9)
    assert_allclose(one.intercept_at(w), two.intercept_at(w), atol=1e-10)


def test_gap_goal_is_nearly_met_at_once():
    """The violation allowed is derived from the gap; rounds outside make up for the rest."""
    X, y, _ = data(n=200)
    problem = SparseSquares(sparse.csc_array(X), y, None, intercept=True)
    penalty = Shrinkage(0.3 * np.abs(problem.start).max())
    for gap in (1e-2, 1e-5, 1e-9):
        w = np.zeros(12)
        problem.solve(np.arange(12), w, penalty, Goal(gap=gap))
        r = problem.residual(w)
        c = np.abs(problem.correlations(r)).max()
        t = min(1.0, penalty.l1 / c)
        found = 0.5 * r @ r * (1 + t * t) + penalty.value(w) - t * (r @ problem.target)
        assert found <= 10 * gap


def test_columns_without_variation_never_move():
    """A full column of ones and an empty one."""
    X, y, _ = data()
    X[:, 2], X[:, 7] = 1.0, 0.0
    problem = SparseSquares(sparse.csc_array(X), y, None, intercept=True)
    w = np.zeros(12)
    problem.solve(np.arange(12), w, Shrinkage(1e-9), Goal(violation=1e-10))
    assert w[2] == w[7] == 0.0
    assert problem.start[2] == problem.start[7] == 0.0
