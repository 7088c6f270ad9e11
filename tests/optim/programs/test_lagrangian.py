"""Lagrangian, dual function and gap (optim.20)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.optim import (
    ConstrainedProblem,
    Constraint,
    Function,
    QuadraticProgram,
    affine,
    check_gradient,
    dual_function,
    lagrangian,
    lagrangian_gap,
    solve_qp,
)

RNG = np.random.default_rng(0)
ROOT = RNG.normal(size=(4, 4))
PROGRAM = QuadraticProgram(
    ROOT @ ROOT.T,
    RNG.normal(size=4),
    A=RNG.normal(size=(1, 4)),
    b=[0.3],
    G=RNG.normal(size=(3, 4)),
    h=[0.1, 0.2, 0.3],
    lower=-1.0,
)
# min (x - 2)^2 + y^2 in the unit disc: x* = (1, 0), p* = 1, price 1.
BOWL = Function(lambda x: ((x[0] - 2) ** 2 + x[1] ** 2, np.array([2 * (x[0] - 2), 2 * x[1]])), 2)
DISC = ConstrainedProblem(BOWL, [Constraint(lambda x: [x @ x - 1.0], lambda x: [2 * x])])


def test_value_and_gradient():
    """optim.20: the sum written out, and its gradient by differences."""
    x, lam, nu = RNG.normal(size=4), RNG.random(7), RNG.normal(size=1)
    rows, side = PROGRAM.inequalities()
    local = lagrangian(PROGRAM, x, lam, nu)
    wanted = PROGRAM.value(x) + lam @ (rows @ x - side) + nu @ (PROGRAM.A @ x - PROGRAM.b)
    assert_allclose(local.value, wanted)

    def expand(u):
        there = lagrangian(PROGRAM, u, lam, nu)
        return there.value, there.gradient

    assert check_gradient(Function(expand, 4), x) < 1e-7


def test_weak_duality_for_random_multipliers():
    """optim.20: never above the optimum, whatever the multipliers."""
    optimum = solve_qp(PROGRAM, tol=1e-10).objective
    for _ in range(200):
        lam, nu = 3 * RNG.random(7), 3 * RNG.normal(size=1)
        assert dual_function(PROGRAM, lam, nu).value <= optimum + 1e-8
    for lam in 3 * RNG.random(20):
        assert dual_function(DISC, [lam]).value <= 1.0 + 1e-8


def test_concave():
    """optim.20: along random chords, for the exact and the numerical dual."""
    for _ in range(50):
        a, b = RNG.random((2, 7))
        middle = dual_function(PROGRAM, 0.5 * (a + b), [0.0]).value
        ends = dual_function(PROGRAM, a, [0.0]).value + dual_function(PROGRAM, b, [0.0]).value
        assert middle >= 0.5 * ends - 1e-9
    a, b = 0.2, 2.5
    middle = dual_function(DISC, [0.5 * (a + b)]).value
    assert middle >= 0.5 * (dual_function(DISC, [a]).value + dual_function(DISC, [b]).value)


def test_closed_form_of_the_disc():
    """optim.20: q(l) = 4 l / (1 + l) - l, largest at l = 1 where it is p*."""
    for lam in (0.0, 0.5, 1.0, 4.0):
        found = dual_function(DISC, [lam])
        assert_allclose(found.value, 4 * lam / (1 + lam) - lam, atol=1e-10)
        assert_allclose(found.x, [2 / (1 + lam), 0], atol=1e-7)


def test_numerical_dual_agrees_with_the_exact_one():
    lam, nu = RNG.random(7), RNG.normal(size=1)
    plain = ConstrainedProblem(
        Function(lambda x: (PROGRAM.value(x), PROGRAM.P @ x + PROGRAM.q), 4),
        [affine(*PROGRAM.inequalities())],
        [affine(PROGRAM.A, PROGRAM.b)],
    )
    exact, found = dual_function(PROGRAM, lam, nu), dual_function(plain, lam, nu)
    assert_allclose(found.value, exact.value, rtol=1e-8)


def test_strong_duality_at_the_optimum():
    """optim.20: the gap p* - d* closes for a quadratic program and for the disc."""
    solution = solve_qp(PROGRAM, tol=1e-10)
    prices = solution.extras["multipliers"]
    stacked = np.concatenate([prices.inequality, prices.lower])
    found = lagrangian_gap(PROGRAM, solution.x, stacked, prices.equality)
    assert found.strong(1e-7)
    assert_allclose(found.primal, solution.objective)
    assert lagrangian_gap(DISC, np.array([1.0, 0.0]), [1.0]).strong(1e-8)


def test_the_gap_bounds_the_distance_to_the_optimum():
    """optim.20: at feasible points f(x) - q(l) >= f(x) - p* >= 0."""
    for radius in (0.0, 0.5, 1.0):
        for lam in (0.1, 1.0, 3.0):
            x = np.array([radius, 0.0])
            found = lagrangian_gap(DISC, x, [lam])
            assert found.infeasibility == 0
            assert found.gap >= (radius - 2) ** 2 - 1.0 - 1e-8
    outside = lagrangian_gap(DISC, np.array([2.0, 0.0]), [1.0])
    assert_allclose(outside.infeasibility, 3.0)
    assert outside.gap < 0
    assert not outside.strong()


def test_no_minimum_gives_minus_infinity():
    """optim.20: a linear objective that nothing holds back."""
    line = QuadraticProgram(np.zeros((1, 1)), [1.0], lower=0.0)
    assert dual_function(line, [0.5]).value == -np.inf
    assert dual_function(line, [1.0]).value == 0.0
    falling = ConstrainedProblem(
        Function(lambda x: (float(x[0]), np.ones(1)), 1), [affine([[-1.0]], [0.0])]
    )
    assert dual_function(falling, [0.5]).value == -np.inf


def test_a_gap_that_no_multiplier_closes():
    """optim.20: a non-convex problem, min -x^2 on [-1, 1] against its dual, stays apart."""
    hill = Function(lambda x: (float(x[0] ** 4 - x[0] ** 2), 4 * x**3 - 2 * x), 1)
    problem = ConstrainedProblem(hill, [], [affine([[1.0]], [0.0])])  # x = 0, p* = 0
    best = max(
        min(hill.expand(np.array([u])).value + nu * u for u in np.linspace(-2, 2, 4001))
        for nu in np.linspace(-1, 1, 41)
    )
    assert_allclose(best, -0.25, atol=1e-3)
    assert lagrangian_gap(problem, np.zeros(1), (), [0.0], x0=np.ones(1)).gap > 0.24


def test_bad_multipliers_are_refused():
    with pytest.raises(ValueError, match="dual_function: inequality must be at least 0"):
        dual_function(DISC, [-1.0])
    with pytest.raises(ValueError, match="lagrangian: inequality must be of length 1"):
        lagrangian(DISC, np.zeros(2), [1.0, 2.0])
