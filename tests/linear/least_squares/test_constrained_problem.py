"""Least squares under equations and bounds (linear.09)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.core import Status
from margin.linear.least_squares import _constrained_problem
from margin.linear.least_squares._constrained_problem import ConstrainedProblem


def problem(seed=0):
    rng = np.random.default_rng(seed)
    C = rng.normal(size=(40, 4)) * np.geomspace(0.5, 5, 4)
    t = C @ [1.5, -0.8, 0.3, 0.05] + 0.3 * rng.normal(size=40)
    low, high = np.zeros(4), np.full(4, np.inf)
    return ConstrainedProblem(C, t, np.ones((1, 4)), np.ones(1), low, high)


def test_certificate_sees_a_wrong_answer():
    """linear.09: moved, infeasible and wrongly bound points have a large residual."""
    shares = problem()
    solution = shares.solve()
    coef, price = solution.x, solution.extras["multipliers"]
    assert solution.status is Status.CONVERGED
    assert shares.residual(coef, price) < 1e-9
    assert shares.residual(coef + np.array([0.1, -0.1, 0, 0]), price) > 1e-3
    assert shares.residual(coef * 1.1, price) > 1e-2
    assert shares.residual(coef, price + 50.0) > 1e-3


def test_equations_alone_are_the_limit_of_wide_bounds():
    """linear.09: two engines, the null space and the method of multipliers, agree."""
    shares = problem()
    wide = np.full(4, 1e3)
    args = shares.C, shares.t, shares.A, shares.c
    bounded = ConstrainedProblem(*args, -wide, wide).solve()
    free = ConstrainedProblem(*args, np.full(4, -np.inf), np.full(4, np.inf)).solve()
    assert bounded.solver == "active set"
    assert free.solver == "null space"
    assert_allclose(bounded.x, free.x, atol=1e-9)
    assert_allclose(bounded.extras["multipliers"], free.extras["multipliers"], rtol=1e-6)


def test_interruption_leaves_the_last_round(monkeypatch):
    """linear.09: Ctrl-C in the second round keeps the first."""
    search, calls = _constrained_problem.optimize.lsq_linear, []

    def interrupted(*args, **kwargs):
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return search(*args, **kwargs)

    monkeypatch.setattr(_constrained_problem.optimize, "lsq_linear", interrupted)
    solution = problem().solve()
    assert solution.interrupted
    assert solution.status is Status.MAX_ITER
    assert solution.x.min() >= 0.0
    assert abs(solution.x.sum() - 1.0) < 0.1
