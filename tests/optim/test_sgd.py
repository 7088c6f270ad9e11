"""Stochastic gradient descent (optim.03, optim.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin import losses, penalties
from margin.core import Status
from margin.optim import SGD, Constant, LinearProblem, Newton, PolyakAverage, RowSum, minimise
from margin.penalties import L1, L2, ElasticNet, Zero


def squares(storage=np.asarray, penalty=None, n=30, intercept=True):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)) * (rng.random(size=(n, 3)) < 0.7)
    y = X @ [1.0, -2.0, 0.5] + 0.3 + 0.1 * rng.normal(size=n)
    chosen = Zero() if penalty is None else penalty
    weight = rng.uniform(0.5, 1.5, size=n) / n
    return LinearProblem(storage(X), y, weight, losses.Squared(), chosen, intercept=intercept)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("batch", [None, 30, 100])
def test_a_batch_of_all_rows_is_gradient_descent(storage, intercept, batch):
    """optim.04: batch = N makes the steps x - tau grad f(x), penalty included."""
    problem = squares(storage, L2(0.2), intercept=intercept)
    solution = minimise(problem, SGD(1e-12, 4, Constant(0.3), batch), trace=True)
    x = np.zeros(problem.dimension)
    for found in solution.trace["x"]:
        assert_allclose(found, x, atol=1e-13)
        x = x - 0.3 * problem.expand(x).gradient
    assert solution.status is Status.MAX_ITER


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_single_rows_by_hand(storage):
    """optim.03: one row after the other, w - tau (w x - y) x, shrunk by the penalties."""
    X, y = np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 0.0, 3.0])
    problem = LinearProblem(
        storage(X), y, np.full(3, 1 / 3), losses.Squared(), ElasticNet(0.2, 0.5), intercept=False
    )
    l1, l2 = problem.penalty.l1, problem.penalty.l2
    w, rate = 0.0, 0.25
    for x, target in zip(X[:, 0], y, strict=True):
        moved = (1 - rate * l2) * w - rate * (w * x - target) * x
        w = np.sign(moved) * max(abs(moved) - rate * l1, 0.0)
    solver, rows = SGD(schedule=Constant(rate), shuffle=False), RowSum.of(problem, "SGD")
    made = solver.epoch(rows, solver.begin(rows, np.zeros(1)))
    assert_allclose(made.w, [w, 0.0], atol=1e-14)


def test_batches_are_means_of_their_rows():
    """optim.04: two batches of two and one of one, by hand."""
    problem = squares(n=5)
    X, y, c = problem.X, problem.y, 5 * problem.weight
    w, b = np.zeros(3), 0.0
    for part in (slice(0, 2), slice(2, 4), slice(4, 5)):
        slope = c[part] * (X[part] @ w + b - y[part])
        w, b = w - 0.1 * X[part].T @ slope / len(slope), b - 0.1 * slope.mean()
    solution = minimise(problem, SGD(1e-12, 1, Constant(0.1), 2, shuffle=False))
    assert_allclose(solution.x, [*w, b], atol=1e-14)


@pytest.mark.parametrize("average", [None, PolyakAverage(300)])
def test_reaches_the_minimum(classification, average):
    """optim.03, optim.07: the logistic minimum of Newton's method, with and without averages."""
    problem = classification(alpha=0.1)
    exact = minimise(problem, Newton(1e-10)).x
    solution = minimise(problem, SGD(1e-3, 3000, average=average))
    assert solution.status is Status.CONVERGED
    assert np.abs(problem.expand(solution.x).gradient).max() <= 1e-3
    assert_allclose(solution.x, exact, atol=0.05)


def test_the_seed_decides_the_order():
    """optim.03: the same numbers for a seed, others for another; none matters unshuffled."""
    problem = squares()
    first, again, other = (minimise(problem, SGD(1e-9, 3, seed=s)).x for s in (1, 1, 2))
    assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    fixed = [minimise(problem, SGD(1e-9, 3, shuffle=False, seed=s)).x for s in (1, 2)]
    assert_array_equal(*fixed)


def test_refusals():
    with pytest.raises(ValueError, match="SGD: seed"):
        SGD(seed=-1)
    with pytest.raises(ValueError, match="SGD: batch"):
        SGD(batch=0)
    with pytest.raises(ValueError, match="SGD: penalty must be one of"):
        minimise(squares(penalty=penalties.SCAD(0.1)), SGD())


def test_an_absolute_penalty_leaves_exact_zeros():
    """optim.03: soft steps put the coefficients of a strong penalty at zero."""
    solution = minimise(squares(penalty=L1(50.0)), SGD(1e-3, 50))
    assert not solution.x[:3].any()
