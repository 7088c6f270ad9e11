"""The dual of logistic regression as a state (linear.34)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from margin.losses import Logistic
from margin.optim import LinearProblem, Newton, minimise
from margin.optim.duals._logistic_multipliers import LogisticMultipliers
from margin.penalties import L2, RKHS

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = RNG.integers(2, size=25).astype(float)
K = X @ X.T + np.eye(25)


def stated(intercept, kernel=False):
    data, penalty = (K, RKHS(K, 0.7)) if kernel else (X, L2(0.7))
    weight = RNG.random(25)
    return LinearProblem(data, Y, weight, Logistic(), penalty, intercept=intercept)


@pytest.mark.parametrize("kernel", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_no_state_claims_more_than_is_true(intercept, kernel):
    """linear.34: objective minus gap is a lower bound of the minimum, at every state."""
    problem = stated(intercept, kernel)
    best = minimise(problem, Newton(1e-8)).objective
    dual = LogisticMultipliers(problem)
    dual.start(None)
    rng = np.random.default_rng(1)
    for _ in range(20):
        here = dual.point()
        assert here.primal >= best - 1e-9
        assert here.primal - here.gap <= best + 1e-9
        assert_allclose(here.primal, problem.expand(here.x).value)
        dual.sweep(rng)
    assert dual.point().gap < 1e-2


def test_start_from_a_point_has_its_scores_as_log_odds():
    problem = stated(intercept=True)
    x = RNG.normal(size=4)
    dual = LogisticMultipliers(problem)
    dual.start(x)
    z = X @ x[:-1] + x[-1]
    assert_allclose(dual.u, z)
    assert_allclose(dual.r, expit(z) - Y, atol=1e-14)
    best = minimise(problem, Newton(1e-10)).x
    dual.start(best)
    assert dual.point().gap < 1e-12


def test_balanced_variables_of_one_sided_residuals():
    """linear.34: with all residuals of one sign only zero is balanced, and the bound is zero."""
    problem = stated(intercept=True)
    dual = LogisticMultipliers(problem)
    dual.start(None)
    dual.u = np.full(25, -50.0) * (2 * Y - 1) * (Y == 1) + 50.0 * (Y == 0) * -1.0
    dual.r = Logistic().slope(dual.u, Y)
    here = dual.point()
    assert np.isfinite(here.gap)
    assert here.primal - here.gap <= minimise(problem, Newton(1e-8)).objective
