"""The compiled loops of support vector machines against NumPy twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native import _native
from margin.native.duals.smo import add_scores, gather, keep, solve_block

RNG = np.random.default_rng(0)


def pair_twin(K, target, lower, upper, beta, split, tol, limit=100_000):
    """Pairs of the most violating variable and the best second-order partner, in NumPy."""
    beta, gradient = beta.copy(), K @ beta - target
    group = (np.arange(len(beta)) >= split).astype(int)
    for _ in range(limit):
        found = []
        for g in (0, 1):
            up = np.flatnonzero((beta < upper) & (group == g))
            low = np.flatnonzero((beta > lower) & (group == g))
            if len(up) and len(low):
                i = up[np.argmax(-gradient[up])]
                found.append((-gradient[i] - (-gradient[low]).min(), i, low))
        violation, i, low = max(found, key=lambda f: f[0])
        if violation <= tol:
            break
        gaps = -gradient[i] + gradient[low]
        curvature = np.maximum(K[i, i] + K[low, low] - 2 * K[i, low], 1e-12)
        j = low[np.argmax(np.where(gaps > 0, gaps**2 / curvature, 0.0))]
        step = (gradient[j] - gradient[i]) / max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
        step = min(step, upper[i] - beta[i], beta[j] - lower[j])
        beta[i] += step
        beta[j] -= step
        gradient += step * (K[i] - K[j])
    return beta, gradient


@pytest.mark.parametrize("split", [12, 30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_solve_block_follows_its_twin(split, dtype):
    A = RNG.normal(size=(30, 6))
    K = (A @ A.T).astype(dtype)
    target = RNG.normal(size=30)
    lower, upper = -np.full(30, 0.5), np.full(30, 0.7)
    beta, gradient = np.zeros(30), -target
    found = solve_block(K, beta, gradient, lower, upper, split, 1e-6, 0.0, 100_000)
    twin, slope = pair_twin(K.astype(float), target, lower, upper, np.zeros(30), split, 1e-6)
    assert found.after <= 1e-6 < found.before
    assert_allclose(K @ beta, K @ twin, atol=1e-4)
    assert_allclose(gradient, K.astype(float) @ beta - target, atol=1e-9)
    assert_allclose([beta[:split].sum(), beta[split:].sum()], 0, atol=1e-12)
    assert (beta >= lower).all()
    assert (beta <= upper).all()
    assert_allclose(gradient, slope, atol=1e-4)


def test_bounds_are_reached_exactly_and_limits_kept():
    K = np.eye(4)
    beta, gradient = np.zeros(4), np.array([-9.0, -9.0, 9.0, 9.0])
    lower, upper = np.array([0, 0, -0.1, -0.3]), np.array([0.1, 0.3, 0, 0])
    found = solve_block(K, beta, gradient, lower, upper, 4, 1e-9, 0.0, 1000)
    assert_array_equal(np.abs(beta), [0.1, 0.3, 0.1, 0.3])
    assert found.after == 0
    again = solve_block(K, np.zeros(4), np.array([-9.0, 0, 0, 9]), lower, upper, 4, 1e-9, 0.0, 1)
    assert again.steps == 1


def test_negative_curvature_is_told_and_nan_ends():
    K = np.array([[0.0, 2.0], [2.0, 0.0]])
    beta, gradient = np.zeros(2), np.array([-1.0, 1.0])
    box = -np.ones(2), np.ones(2)
    assert solve_block(K, beta, gradient, *box, 2, 1e-9, 0.0, 10).flattest == -4
    assert_array_equal(beta, [1, -1])
    nothing = solve_block(np.full((2, 2), np.nan), np.zeros(2), gradient, *box, 2, 1e-9, 0.0, 10)
    assert nothing.steps <= 10
    empty = solve_block(
        np.empty((0, 0)), np.empty(0), np.empty(0), np.empty(0), np.empty(0), 0, 1e-3, 0.0, 5
    )
    assert empty.steps == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [0, 1, 5, 8])
def test_scores_and_gather(dtype, count):
    rows = RNG.normal(size=(9, 2100)).astype(dtype)
    slots = RNG.permutation(9)[:count].astype(np.int64)
    delta = RNG.normal(size=count)
    for n in (2100, 7, 0):
        single, double = np.ones(n), np.ones(n)
        add_scores(rows, slots, delta, single, 1)
        add_scores(rows, slots, delta, double, 2)
        assert_array_equal(single, double)
        assert_allclose(single, 1 + delta @ rows[slots][:, :n].astype(float), atol=1e-12)
    columns = np.array([3, 0, 2099], dtype=np.int64)
    assert_array_equal(gather(rows, slots, columns, 2), rows[slots][:, columns])


def test_borders_are_guarded():
    rows, one = np.zeros((2, 3)), np.ones(1)
    with pytest.raises(IndexError, match="slot"):
        add_scores(rows, np.array([2]), one, np.zeros(3), 1)
    with pytest.raises(IndexError, match="column"):
        gather(rows, np.array([0]), np.array([3]), 1)
    with pytest.raises(ValueError, match="shape"):
        add_scores(rows, np.array([0]), one, np.zeros(4), 1)
    with pytest.raises(ValueError, match="shape"):
        _native.smo_solve(np.eye(2), one, one, one, one, 0, 1e-3, 0.0, 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_are_kept_in_their_slots(dtype):
    cache, rows = np.zeros((5, 7), dtype=dtype), RNG.normal(size=(2, 7)).astype(dtype)
    keep(rows, np.array([4, 1]), cache, 2)
    assert_array_equal(cache[[4, 1]], rows)
    assert_array_equal(cache[[0, 2, 3]], 0)
    with pytest.raises(IndexError, match="slot out of range"):
        keep(rows, np.array([0, 5]), cache, 1)
    with pytest.raises(ValueError, match="different shape"):
        keep(rows[:, :3].copy(), np.array([0, 1]), cache, 1)
