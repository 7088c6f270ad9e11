"""Free multipliers by linear algebra."""

import numpy as np
from numpy.testing import assert_allclose
from smo_problems import Rows, blobs, classification

from margin.core import Status
from margin.optim import SMO, BoxDual, GramMatrix, optimality
from margin.optim.duals._smo_polish import MOST_FREE, polish


def test_rough_point_becomes_exact():
    K, y = blobs(60)
    problem = classification(K, y)
    exact = SMO(tol=1e-10).run(problem)
    rough = exact.x.copy()
    free = np.flatnonzero((np.abs(rough) > 0) & (np.abs(rough) < 1))
    nudge = 1e-5 * np.random.default_rng(0).normal(size=len(free))
    rough[free] += nudge - nudge.mean()
    scores = K @ rough
    beta, found_scores, found = polish(problem, rough, scores, optimality(problem, rough, scores))
    assert_allclose(beta, exact.x, atol=1e-9)
    assert_allclose(found_scores, K @ beta, atol=1e-12)
    assert found.violation < 1e-10
    assert_allclose(beta.sum(), 0, atol=1e-12)


def test_duplicate_rows_share_what_they_carry():
    K, y = blobs(30)
    twice = np.tile(np.arange(30), 2)
    problem = classification(K[np.ix_(twice, twice)], y[twice], C=0.5)
    once = SMO(tol=1e-9).run(classification(K, y, C=1.0))
    both = SMO(tol=1e-9).run(problem)
    assert_allclose(both.extras["scores"][:30], once.extras["scores"], atol=1e-7)


def test_never_worse_than_what_it_was_given():
    K, y = blobs(40)
    problem = classification(K, y)
    rng = np.random.default_rng(2)
    for _ in range(10):
        alpha = rng.uniform(0, 1, size=40)
        side = alpha[y > 0].sum() / alpha[y < 0].sum()
        alpha[y < 0] *= min(1, side)
        alpha[y > 0] *= min(1, 1 / side)
        beta = alpha * y
        before = optimality(problem, beta, K @ beta)
        polished, scores, after = polish(problem, beta, K @ beta, before)
        assert after.violation <= before.violation
        assert_allclose(scores, K @ polished, atol=1e-9)
        assert (polished >= problem.lower).all()
        assert (polished <= problem.upper).all()


def test_too_many_free_variables_are_left_alone():
    n = 2 * MOST_FREE
    y = np.tile([1.0, -1.0], n // 2)
    problem = classification(np.eye(n), y, face=Rows)
    beta = 0.5 * y
    same, _, _ = polish(problem, beta, beta, optimality(problem, beta, beta))
    assert same is beta


def test_a_line_without_curvature_is_followed_to_its_wall():
    """Two equal rows with different labels and a price that pairs would never reach."""
    K, y, price = np.ones((2, 2)), np.array([1.0, -1.0]), 1e20
    lower, upper = np.minimum(0, price * y), np.maximum(0, price * y)
    problem = BoxDual(GramMatrix(K), y, lower, upper, 0 * y)
    solution = SMO().run(problem)
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, price * y)
