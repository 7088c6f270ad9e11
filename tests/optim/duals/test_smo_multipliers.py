"""Shrinking and restoring keep multipliers and scores together."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from smo_problems import Rows, blobs

from margin.optim import BoxDual, GramMatrix
from margin.optim.duals._smo_multipliers import BoxMultipliers, add_products


def state_of(n=100, group=None):
    K, y = blobs(n)
    start = np.zeros(n)
    start[np.flatnonzero(y > 0)[:5]], start[np.flatnonzero(y < 0)[:5]] = 0.5, -0.5
    problem = BoxDual(Rows(K), y, np.minimum(0, y), np.maximum(0, y), start, group=group)
    return K, BoxMultipliers(problem, 1e6, 20, 1)


def test_start_has_its_scores():
    K, state = state_of()
    assert_allclose(state.scores, K @ state.beta, atol=1e-12)
    assert not state.shrunk


def test_shrink_step_restore():
    K, state = state_of()
    away = np.zeros(100, dtype=bool)
    away[::2] = True
    state.shrink(away)
    assert state.shrunk
    assert_array_equal(state.variables, np.arange(1, 100, 2))
    before = state.beta.copy()
    steps, gain = state.step(np.arange(20), 1e-6, 0.0, 1000)
    assert steps > 0
    assert gain > 0
    assert_array_equal(state.beta[::2], before[::2])
    assert_allclose(state.scores, (K @ state.beta)[1::2], atol=1e-10)
    state.restore()
    assert_allclose(state.scores, K @ state.beta, atol=1e-10)
    assert not state.shrunk


def test_gain_is_the_decrease_of_the_objective():
    K, state = state_of()

    def value():
        return 0.5 * state.beta @ K @ state.beta - state.problem.target @ state.beta

    before = value()
    _, gain = state.step(np.arange(15), 1e-8, 0.0, 1000)
    assert_allclose(gain, before - value(), rtol=1e-9)


def test_settled_variables_are_at_bounds_on_the_right_side():
    _, state = state_of()
    for _ in range(3):
        state.step(np.arange(20), 1e-8, 0.0, 10_000)
    up, low = state.residuals()
    found = state.extremes(up, low)
    settled = state.settled(up, low, found)
    inside = (state.beta > state.problem.lower) & (state.beta < state.problem.upper)
    assert not (settled & inside).any()


def test_groups_have_their_own_extremes():
    group = np.repeat([0, 1], 50)
    _, state = state_of(group=group)
    up, low = state.residuals()
    found = state.extremes(up, low)
    assert_array_equal(found.up, [up[:50].max(), up[50:].max()])
    assert_array_equal(found.low, [low[:50].min(), low[50:].min()])
    assert found.violation == max(0, (found.up - found.low).max())


def test_add_products():
    K, _ = blobs(30)
    out = np.zeros(3)
    coef = np.zeros(30)
    coef[[4, 9]] = 2.0, -1.0
    add_products(GramMatrix(K), coef, out, np.array([0, 5, 7]), 1)
    assert_allclose(out, coef @ K[:, [0, 5, 7]])
