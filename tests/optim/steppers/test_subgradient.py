"""Subgradient descent (optim.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import QuantileRegressor
from sklearn.svm import LinearSVC

from margin.core import Status
from margin.losses import Absolute, Hinge, Logistic, Tukey, ZeroOne
from margin.optim import Function, LinearProblem, Newton, Subgradient, minimise
from margin.penalties import L2, Zero
from margin.testing.contracts._values import assert_is_value

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.where(X @ [1.0, -2.0, 0.5] + 0.5 * RNG.normal(size=60) > 0, 1.0, -1.0)


def test_support_vector_machine_within_its_gap():
    """optim.18: the certified gap bounds the distance to the optimum scikit-learn finds."""
    alpha = 6.0
    problem = LinearProblem(X, Y, None, Hinge(), L2(alpha), intercept=False)
    peer = LinearSVC(
        C=1 / alpha, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000
    ).fit(X, Y)
    optimum = problem.expand(peer.coef_[0]).value
    solver = Subgradient(tol=0.05, max_iter=20_000, strong_convexity=alpha)
    solution = solver.run(problem, trace=True)
    assert solution.status is Status.CONVERGED
    assert solution.objective - optimum <= solution.certificate.value <= 0.05
    assert_allclose(solution.objective, problem.expand(solution.x).value, rtol=1e-12)
    assert solution.trace["x"].shape == (solution.n_iter + 1, 3)
    # Every gap on the way was true as well.
    best = np.minimum.accumulate(solution.trace["objective"])
    assert (best[1:] - solution.trace["gap"][1:] <= optimum + 1e-9).all()


def test_least_absolute_deviations_within_a_ball():
    """optim.18: without strong convexity the gap holds for the ball around the start."""
    y = X @ [0.5, -0.2, 0.1] + 0.1 * RNG.standard_t(2, size=60)
    problem = LinearProblem(X, y, np.full(60, 1 / 60), Absolute(), Zero(), intercept=False)
    peer = QuantileRegressor(alpha=0, fit_intercept=False).fit(X, y)
    optimum = problem.expand(peer.coef_).value
    solution = Subgradient(tol=0.02, max_iter=20_000, radius=1.0).run(problem)
    assert np.linalg.norm(peer.coef_) < 1.0
    assert solution.status is Status.CONVERGED
    assert solution.objective - optimum <= solution.certificate.value
    assert solution.objective - optimum < 5e-3


def test_smooth_problems_too():
    problem = LinearProblem(X, (Y + 1) / 2, None, Logistic(), L2(20.0), intercept=False)
    best = minimise(problem, Newton()).objective
    solution = Subgradient(tol=0.01, strong_convexity=20.0).run(problem)
    assert solution.status is Status.CONVERGED
    assert 0 <= solution.objective - best <= solution.certificate.value


def test_max_iter_interruption_and_failure_are_told():
    problem = LinearProblem(X, Y, None, Hinge(), L2(1.0), intercept=False)
    short = Subgradient(tol=1e-6, max_iter=5, strong_convexity=1.0).run(problem)
    assert short.status is Status.MAX_ITER
    assert "raise max_iter" in short.message
    assert not short.certificate.holds

    def stop(iteration, objective):
        if iteration == 3:
            raise KeyboardInterrupt

    stopped = Subgradient(tol=1e-6).run(problem, callback=stop)
    assert stopped.n_iter == 3
    assert "interrupted" in stopped.message
    assert stopped.objective <= stopped.trace["objective"].min()
    broken = Subgradient().run(Function(lambda x: (np.nan, x), 1))
    assert broken.status is Status.FAILED


def test_wrong_problems_are_refused_before_any_work():
    """optim.18: neither a loss without slopes nor one that is not convex."""
    for loss in (ZeroOne(), Tukey()):
        problem = LinearProblem(X, Y, None, loss, L2(1.0))
        with pytest.raises(ValueError, match="Subgradient: problem must provide subgradient"):
            Subgradient().run(problem)
    good = LinearProblem(X, Y, None, Hinge(), L2(1.0))
    with pytest.raises(ValueError, match="Subgradient: x0 must be of shape"):
        Subgradient().run(good, np.zeros(7))
    with pytest.raises(ValueError, match="Subgradient: radius must be a number above 0"):
        Subgradient(radius=0.0)


def test_is_an_immutable_value():
    assert_is_value(Subgradient(tol=0.1))
