"""Dense least squares by columns against explicit matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.optim.columns._dense_squares import DenseSquares
from margin.optim.columns._squares import Goal, Shrinkage


def centred(X, y, weight, intercept):
    """The weighted centred problem written out."""
    s = np.ones(len(y)) if weight is None else weight
    X = X.astype(np.float64)
    if intercept:
        X, y = X - s @ X / s.sum(), y - s @ y / s.sum()
    return np.sqrt(s)[:, None] * X, np.sqrt(s) * y


def data(dtype=np.float64, order="C", n=50, p=12, seed=0):
    rng = np.random.default_rng(seed)
    X = np.asarray(rng.normal(size=(n, p)) + 3.0, dtype=dtype, order=order)
    return X, rng.normal(size=n) + 1.0, rng.random(n)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("full", [False, True])
def test_products_and_solutions(dtype, order, weighted, intercept, full):
    X, y, weight = data(dtype, order)
    weight = weight if weighted else None
    problem = DenseSquares(X, y, weight, intercept=intercept, full_gram=full)
    Z, t = centred(X, y, weight, intercept)
    assert_allclose(problem.energy, t @ t, rtol=1e-12)
    assert_allclose(problem.start, Z.T @ t, rtol=1e-9, atol=1e-10)

    index, w = np.array([2, 5, 11]), np.zeros(12)
    problem.solve(index, w, Shrinkage(0.5, 0.2), Goal(violation=1e-11))
    inside = np.arange(12) if full else index
    assert not w[np.setdiff1d(np.arange(12), inside)].any()
    residual = problem.residual(w)
    assert_allclose(residual, t - Z @ w, atol=1e-10)
    assert_allclose(problem.correlations(residual), Z.T @ (t - Z @ w), atol=1e-9)
    broken = Shrinkage(0.5, 0.2).violation(w, -Z.T @ (t - Z @ w))[inside]
    assert broken.max() < 1e-9
    s = np.ones(50) if weight is None else weight
    if intercept:
        wanted = s @ (y - X.astype(np.float64) @ w) / s.sum()
        assert_allclose(problem.intercept_at(w), wanted, rtol=1e-10)


def test_gram_grows_with_the_columns_asked_for():
    """Columns gathered in several rounds give the same matrix as all at once."""
    X, y, weight = data(p=30)
    problem = DenseSquares(X, y, weight, intercept=True)
    w = np.zeros(30)
    for index in ([3], [3, 4, 9], [0, 29], list(range(10))):
        problem.solve(np.array(index), w, Shrinkage(0.1), Goal(gap=1e-9))
    Z, _ = centred(X, y, weight, True)
    members = problem.members
    assert sorted(members) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 29]
    m = len(members)
    assert_allclose(problem.gram[:m, :m], Z[:, members].T @ Z[:, members], atol=1e-11)
    assert_array_equal(problem.position[members], np.arange(m))


def test_constant_columns_never_move():
    X, y, _ = data()
    X[:, 4] = 0.1
    problem = DenseSquares(X, y, None, intercept=True)
    w = np.zeros(12)
    problem.solve(np.arange(12), w, Shrinkage(1e-12), Goal(violation=1e-9))
    assert w[4] == 0.0
    assert problem.start[4] == 0.0
