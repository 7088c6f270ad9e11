"""Natural cubic splines and the choice of their strength (linear.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline

from margin.linear.curves._curve_data import DistinctPoints
from margin.linear.curves._spline_curve import (
    smooth,
    strength_by_dof,
    strength_by_gcv,
    unit_strength,
)


def data(n=20, seed=0):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0.0, 2.0, n))
    return DistinctPoints(x, np.sin(3 * x) + 0.1 * rng.normal(size=n), rng.random(n) + 0.5, 0.3)


def test_values_are_those_of_the_natural_spline_through_them():
    """linear.18: SciPy's interpolant of the fitted values, lines outside."""
    curve = smooth(data(), 0.01)
    natural = CubicSpline(curve.knots, curve.values, bc_type="natural")
    x = np.linspace(curve.knots[0], curve.knots[-1], 50)
    assert_allclose(curve.at(x), natural(x), rtol=1e-9, atol=1e-12)
    end, slope = curve.knots[-1], natural(curve.knots[-1], 1)
    assert_allclose(curve.at(np.array([end + 2.0])), natural(end) + 2.0 * slope, rtol=1e-9)
    bends = natural(curve.knots, 2)
    assert_allclose(curve.bends, bends, atol=1e-8)
    assert_allclose(curve.roughness(), _simpson(natural, curve.knots), rtol=1e-9)


def _simpson(spline, knots):
    """The square of a piecewise linear function is integrated exactly."""
    a, b = knots[:-1], knots[1:]
    f = [spline(z, 2) ** 2 for z in (a, (a + b) / 2, b)]
    return float(np.sum((b - a) * (f[0] + 4 * f[1] + f[2]) / 6))


@pytest.mark.parametrize("dof", [2.5, 6.0, 19.0])
def test_degrees_of_freedom_are_met(dof):
    points = data()
    assert_allclose(smooth(points, strength_by_dof(points, dof)).dof, dof, rtol=1e-6)


def test_cross_validation_takes_the_least_score():
    points = data()
    best = smooth(points, strength_by_gcv(points)).gcv()
    others = [smooth(points, unit_strength(points) * 10.0**t).gcv() for t in range(-12, 4)]
    assert best <= min(others) * (1 + 1e-9)


def test_fewer_than_three_knots_are_a_line():
    points = DistinctPoints(np.array([0.0, 2.0]), np.array([1.0, 5.0]), np.ones(2), 0.0)
    for strength in (strength_by_gcv(points), strength_by_dof(points, 2.0)):
        assert strength == unit_strength(points) == 16.0
    assert_allclose(smooth(points, 16.0).at(np.array([-1.0, 1.0, 4.0])), [-1.0, 3.0, 9.0])
    lone = DistinctPoints(np.array([3.0]), np.array([1.5]), np.ones(1), 0.0)
    assert_allclose(smooth(lone, 1.0).at(np.array([0.0, 9.0])), 1.5)


@pytest.mark.parametrize("n", [8, 15, 20, 50, 100])
def test_cross_validation_does_not_take_noise_for_a_curve(n):
    """linear.18: near interpolation the score tends to a limit, it does not vanish."""
    rng = np.random.default_rng(n)
    x = np.linspace(0.0, 1.0, n)
    points = DistinctPoints(x, 0.1 * x + rng.normal(size=n), np.ones(n), 0.0)
    curve = smooth(points, strength_by_gcv(points))
    assert curve.dof < 0.8 * n
    scores = [smooth(points, 10.0**t).gcv() for t in np.linspace(-8, 4, 25)]
    assert curve.gcv() <= min(scores) * (1 + 1e-6)
