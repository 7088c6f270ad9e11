"""Exact line search and second-order optimal step (optim.02)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from margin.optim import Function, GradientDescent, minimise
from margin.optim._exact_step import exact_line_search, taylor_step

A = np.diag([1.0, 10.0])
BOWL = Function(lambda x: (0.5 * float(x @ A @ x), A @ x), 2, lambda x: A)


def test_golden_step():
    """optim.02: diag(1, 10) at (1, 1) gives 101 / 1001, by the formula and by the search."""
    x = np.ones(2)
    local = BOWL.expand(x, second_order=True)
    assert_allclose(taylor_step(local, -local.gradient), 101 / 1001, rtol=1e-14)
    found = exact_line_search(BOWL, x, local, -local.gradient)
    assert_allclose(found.length, 101 / 1001, rtol=1e-9)


def test_on_quadratics_both_are_the_minimum_along_the_line(quadratic):
    """optim.02: and the new gradient is orthogonal to the old one."""
    problem, _ = quadratic(6, 50.0)
    rng = np.random.default_rng(1)
    for _ in range(10):
        x = rng.normal(size=6)
        local = problem.expand(x, second_order=True)
        found = exact_line_search(problem, x, local, -local.gradient)
        assert_allclose(found.length, taylor_step(local, -local.gradient), rtol=1e-7)
        cosine = found.local.gradient @ local.gradient
        assert abs(cosine) <= 1e-9 * (local.gradient @ local.gradient)


def test_search_on_a_curve_that_is_no_quadratic(rosenbrock):
    """optim.02: SciPy finds no lower point on the same line."""
    x = np.array([-1.2, 1.0])
    local = rosenbrock.expand(x)
    found = exact_line_search(rosenbrock, x, local, -local.gradient, length=1e-4)
    peer = minimize_scalar(
        lambda t: rosenbrock.expand(x - t * local.gradient).value,
        bracket=(0, found.length),
        options={"xtol": 1e-12},
    )
    assert found.local.value <= peer.fun * (1 + 1e-9)


def test_flat_concave_and_uphill():
    """No step where there is none to make."""
    hill = Function(lambda x: (-0.5 * float(x @ x), -x), 1, lambda x: -np.eye(1))
    local = hill.expand(np.ones(1), second_order=True)
    assert taylor_step(local, -local.gradient) is None
    assert taylor_step(local, local.gradient) is None
    assert exact_line_search(hill, np.ones(1), local, local.gradient) is None


def test_an_edge_into_nan_is_approached_from_the_good_side():
    def wall(x):
        inside = x[0] < 1
        return (-float(x[0]), np.array([-1.0])) if inside else (np.nan, np.array([np.nan]))

    problem = Function(wall, 1)
    local = problem.expand(np.zeros(1))
    found = exact_line_search(problem, np.zeros(1), local, np.ones(1), length=10.0)
    assert 0.99 < found.x[0] < 1


@pytest.mark.parametrize("rule", ["exact", "taylor"])
def test_zigzag_of_the_optimal_step(rule):
    """optim.02: on diag(1, L) from (L, 1) every step shrinks the value by ((L-1)/(L+1))^2."""
    start = np.array([10.0, 1.0])
    solution = minimise(BOWL, GradientDescent(1e-8, 400, rule), start, trace=True)
    ratio = solution.trace["objective"][1:10] / solution.trace["objective"][:9]
    assert_allclose(ratio, (9 / 11) ** 2, rtol=1e-6)
    assert solution.trace["x"].shape == (solution.n_iter + 1, 2)
