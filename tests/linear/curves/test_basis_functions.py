"""Functions of one variable for linear models (linear.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline, make_interp_spline

from margin.linear.curves._basis_functions import Fourier, NaturalCubic, Radial, TruncatedPowers

KNOTS = np.array([-1.0, 0.5, 1.0, 3.0])
X = np.linspace(-4, 6, 301)
EVERY = [
    TruncatedPowers(KNOTS, 3, 2),
    TruncatedPowers(KNOTS, 2, -1),
    TruncatedPowers(KNOTS, 0, -1),
    NaturalCubic(KNOTS),
    NaturalCubic(KNOTS[:2]),
    Fourier(2.0, 3),
    Radial(KNOTS, 0.7),
]


def design(functions, x):
    return np.column_stack([np.ones(len(x)), functions.columns(x)])


def reproduces(functions, x, curve):
    """Whether the curve is a combination of the functions and the constant."""
    A = design(functions, x)
    coef = np.linalg.lstsq(A, curve, rcond=None)[0]
    assert_allclose(A @ coef, curve, atol=1e-8 * max(1.0, np.abs(curve).max()))


@pytest.mark.parametrize("functions", EVERY, ids=lambda f: type(f).__name__)
def test_names_belong_to_columns_and_differ(functions):
    names = functions.names("x")
    assert len(names) == functions.columns(X).shape[1]
    assert len(set(names)) == len(names)
    assert functions.columns(X[:0]).shape == (0, len(names))


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_truncated_powers_span_all_splines(degree):
    """linear.17: any spline of these knots, here interpolants with random ordinates."""
    rng = np.random.default_rng(degree)
    inner = KNOTS[1:-1]
    t = np.r_[[KNOTS[0]] * (degree + 1), inner, [KNOTS[-1]] * (degree + 1)]
    at = np.linspace(KNOTS[0], KNOTS[-1], len(t) - degree - 1)
    spline = make_interp_spline(at, rng.normal(size=len(at)), degree, t=t)
    x = np.linspace(KNOTS[0], KNOTS[-1], 101)
    functions = TruncatedPowers(KNOTS, degree, degree - 1)
    reproduces(functions, x, spline(x))
    assert np.linalg.matrix_rank(design(functions, x)) == len(at)


def test_separate_polynomials_on_every_piece():
    """linear.17: without smoothness each piece is free, (d + 1) K parameters for K pieces."""
    x = np.linspace(-1, 3, 200)
    piece = np.digitize(x, KNOTS[1:-1])
    curve = np.choose(piece, [x**2 - 1, 5 - x, np.full_like(x, 2.0)])
    functions = TruncatedPowers(KNOTS, 2, -1)
    reproduces(functions, x, curve)
    assert np.linalg.matrix_rank(design(functions, x)) == 9
    continuous = TruncatedPowers(KNOTS, 2, 0)
    assert np.linalg.matrix_rank(design(continuous, x)) == 7
    jumps = continuous.columns(np.array([0.5, np.nextafter(0.5, -1)]))
    assert_allclose(jumps[0], jumps[1], atol=1e-12)


def test_natural_splines():
    """linear.17: all natural splines of the knots, straight outside, and nothing else."""
    rng = np.random.default_rng(0)
    functions = NaturalCubic(KNOTS)
    curve = CubicSpline(KNOTS, rng.normal(size=4), bc_type="natural")
    inside = np.linspace(-1, 3, 101)
    reproduces(functions, inside, curve(inside))
    A = design(functions, X)
    assert A.shape[1] == np.linalg.matrix_rank(A) == len(KNOTS)
    for side in (X < -1, X > 3):
        assert_allclose(np.diff(A[side], 2, axis=0), 0, atol=1e-9)
    near = functions.columns(np.array([3.0, np.nextafter(3.0, 4.0)]))
    assert_allclose(near[0], near[1], rtol=1e-12)


def test_natural_splines_stay_lines_far_away():
    """The difference of cubes would have lost all digits there."""
    far = NaturalCubic(np.array([0.0, 0.3, 1.0])).columns(np.array([1e9, 2e9, 3e9]))
    assert_allclose(np.diff(far, 2, axis=0), 0, atol=1e-6)
    assert_allclose(far[2, 1] / 3e9, 3 * (1.0 - 0.7), rtol=1e-8)


def test_waves_and_bells():
    assert_allclose(Fourier(2.0, 2).columns(X + 2.0), Fourier(2.0, 2).columns(X), atol=1e-12)
    x = np.arange(8) / 4  # a period, evenly sampled: orthogonal
    A = Fourier(2.0, 3).columns(x)
    assert_allclose(A.T @ A, 4 * np.eye(6), atol=1e-12)
    bells = Radial(KNOTS, 0.7)
    assert_allclose(np.diag(bells.columns(KNOTS)), 1)
    assert_allclose(bells.columns(KNOTS + 0.7)[0, 0], np.exp(-0.5))
