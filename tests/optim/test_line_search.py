"""Line searches: their conditions hold, also at the edge of precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from margin.optim import Function
from margin.optim._line_search import armijo, strong_wolfe

DECREASE, CURVATURE = 1e-4, 0.9


def wavy(x):
    """Smooth, bounded below, with many local minima along a line."""
    return float(0.1 * x @ x + np.sin(3 * x).sum()), 0.2 * x + 3 * np.cos(3 * x)


def steep(x):
    return float(np.exp(x).sum() - 2 * x.sum()), np.exp(x) - 2


def rational(x):
    """The classical trap -t / (t^2 + 2) of curvature conditions."""
    t = float(x.sum())
    return -t / (t * t + 2), np.full_like(x, (t * t - 2) / (t * t + 2) ** 2)


FUNCTIONS = {"wavy": wavy, "steep": steep, "rational": rational}


def directional(problem, x, direction):
    local = problem.expand(x)
    return local, float(local.gradient @ direction)


@given(
    name=st.sampled_from(sorted(FUNCTIONS)),
    seed=st.integers(0, 1000),
    length=st.sampled_from([1e-6, 0.1, 1.0, 30.0, 1e6]),
)
@settings(deadline=None, max_examples=150)
def test_strong_wolfe_conditions_hold(name, seed, length):
    """optim.10: sufficient decrease and a flat enough end, whatever the first trial."""
    rng = np.random.default_rng(seed)
    problem = Function(FUNCTIONS[name], 3)
    x = rng.normal(size=3)
    direction = -problem.expand(x).gradient
    local, slope = directional(problem, x, direction)
    with np.errstate(over="ignore", invalid="ignore"):
        found = strong_wolfe(problem, x, local, direction, length=length)
    assert found is not None
    assert found.length > 0
    assert np.array_equal(found.x, x + found.length * direction)
    there = problem.expand(found.x)
    assert there.value == found.local.value
    assert there.value <= local.value + DECREASE * found.length * slope
    assert abs(there.gradient @ direction) <= CURVATURE * abs(slope)


@given(
    name=st.sampled_from(sorted(FUNCTIONS)),
    seed=st.integers(0, 1000),
    length=st.sampled_from([1e-6, 1.0, 1e6]),
)
@settings(deadline=None, max_examples=100)
def test_armijo_condition_holds(name, seed, length):
    """optim.01: the first halving of the trial length that decreases enough."""
    rng = np.random.default_rng(seed)
    problem = Function(FUNCTIONS[name], 3)
    x = rng.normal(size=3)
    direction = -problem.expand(x).gradient
    local, slope = directional(problem, x, direction)
    with np.errstate(over="ignore", invalid="ignore"):
        found = armijo(problem, x, local, direction, length=length)
    assert found is not None
    assert found.local.value <= local.value + DECREASE * found.length * slope
    halvings = np.log2(length / found.length)
    assert halvings == round(halvings)
    if halvings:
        before = problem.expand(x + 2 * found.length * direction).value
        assert not before <= local.value + DECREASE * 2 * found.length * slope


@pytest.mark.parametrize("search", [armijo, strong_wolfe])
def test_uphill_and_level_directions_are_refused(search):
    problem = Function(steep, 2)
    x = np.zeros(2)
    local = problem.expand(x)
    assert search(problem, x, local, local.gradient) is None
    assert search(problem, x, local, np.zeros(2)) is None
    assert search(problem, x, local, np.array([1.0, -1.0])) is None
    assert search(problem, x, local, np.full(2, np.nan)) is None


@pytest.mark.parametrize("search", [armijo, strong_wolfe])
def test_points_without_a_value_are_stepped_back_from(search):
    """The logarithm has no value below zero; the search must come back into its domain."""

    def barrier(x):
        t = x[0]
        inside = t > 0
        return (t - np.log(t) if inside else np.nan), np.array([1 - 1 / t if inside else np.nan])

    problem = Function(barrier, 1)
    x = np.array([2.0])
    local = problem.expand(x)
    found = search(problem, x, local, np.array([-1.0]), length=64.0)
    assert found is not None
    assert found.x[0] > 0
    assert found.local.value < local.value


def test_infinite_values_are_stepped_back_from():
    def wall(x):
        return (float(x[0] ** 2) if x[0] > -0.1 else np.inf), 2 * x

    problem = Function(wall, 1)
    x = np.array([1.0])
    for search in (armijo, strong_wolfe):
        found = search(problem, x, problem.expand(x), np.array([-2.0]), length=10.0)
        assert found is not None
        assert found.local.value < 1.0


def test_below_rounding_the_directional_derivative_decides():
    """Near a minimum of height one, values cannot tell steps of 1e-9 apart; slopes can."""

    def flat(x):
        return 1.0 + 0.5 * float(x @ x), x

    problem = Function(flat, 1)
    x = np.array([1e-9])
    local = problem.expand(x)
    for search in (armijo, strong_wolfe):
        found = search(problem, x, local, -x)
        assert found is not None
        assert abs(found.x[0]) <= 0.9e-9
        far = search(problem, x, local, np.array([-1e-9]), length=1.999)
        assert far is None or abs(far.x[0]) <= 0.9e-9 or far.local.value < local.value


def test_no_lower_point_gives_nothing():
    """A lying gradient cannot be satisfied: Armijo ends without a point."""
    lying = Function(lambda x: (float(np.abs(x).sum()), -np.ones(1)), 1)
    x = np.array([1.0])
    assert armijo(lying, x, lying.expand(x), np.array([1.0])) is None
    assert strong_wolfe(lying, x, lying.expand(x), np.array([1.0])) is None


def test_second_order_information_comes_along():
    problem = Function(lambda x: (float(x @ x), 2 * x), 1, lambda x: 2 * np.eye(1))
    x = np.ones(1)
    found = armijo(problem, x, problem.expand(x), -x, second_order=True)
    assert found.local.hessian()[0, 0] == 2.0


def test_exact_minimum_of_a_quadratic_is_found_by_interpolation():
    """optim.02: along the gradient of diag(1, 10) at (1, 1) the best step is 101 / 1001."""
    A = np.diag([1.0, 10.0])
    problem = Function(lambda x: (0.5 * float(x @ A @ x), A @ x), 2)
    x = np.ones(2)
    direction = -A @ x
    found = strong_wolfe(problem, x, problem.expand(x), direction, curvature=1e-9)
    assert abs(found.length - 101 / 1001) < 1e-9
