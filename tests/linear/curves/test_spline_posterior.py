"""Posterior variance of a smoothing spline (linear.18)."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear.curves._curve_data import DistinctPoints
from margin.linear.curves._spline_curve import smooth
from margin.linear.curves._spline_posterior import spline_variance


def sample(n=12, seed=0):
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(-3.0, 5.0, n)), rng.random(n) + 0.3


def brute(x, knots, weight, alpha):
    """Gaussian conditioning: integrated Wiener process from the left, nearly flat lines."""
    low = min(knots[0], x.min())

    def kernel(a, b):
        a, b = a[:, None] - low, b[None] - low
        least, most = np.minimum(a, b), np.maximum(a, b)
        return (least**2 * most / 2 - least**3 / 6) / alpha

    lines = [np.column_stack([np.ones(len(z)), z]) for z in (x, knots)]
    C = kernel(knots, knots) + np.diag(1 / weight)
    c = kernel(knots, x)
    solved = np.linalg.solve(C, np.column_stack([c, lines[1]]))
    A, B = solved[:, : len(x)], solved[:, len(x) :]
    rest = lines[0].T - lines[1].T @ A
    lift = np.linalg.solve(lines[1].T @ B, rest)
    variance = np.diag(kernel(x, x)) - np.sum(c * A, axis=0)
    return variance + np.sum(rest * lift, axis=0)


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 5.0, 1e4])
def test_is_the_posterior_of_an_integrated_wiener_process(alpha):
    """linear.18: dense conditioning, at knots, between them and outside."""
    knots, weight = sample()
    x = np.concatenate([knots, np.linspace(-5.0, 7.0, 25)])
    got = spline_variance(x, knots, weight, alpha)
    assert_allclose(got, brute(x, knots, weight, alpha), rtol=1e-6)


@pytest.mark.parametrize("n", [3, 4, 300])
@pytest.mark.parametrize("alpha", [1e-4, 1.0, 1e3])
def test_at_the_knots_it_is_the_leverage_over_the_weight(n, alpha):
    """linear.18: two engines; the banded solver knows nothing of the process."""
    knots, weight = sample(n)
    knots = np.arange(n) * 0.2 + 0.01 * knots  # the banded solver loses digits at close knots
    curve = smooth(DistinctPoints(knots, np.zeros(n), weight, 0.0), alpha)
    assert_allclose(
        spline_variance(knots, knots, weight, alpha) * weight, curve.leverage, rtol=1e-6
    )


def test_no_digits_are_lost_at_close_knots():
    """linear.18: three hundred random knots, by the recursion in fifty digits."""
    knots, weight = sample(300)
    with localcontext() as context:
        context.prec = 50
        wanted = _exactly(knots, weight, 1e3)
    got = spline_variance(knots[1:-2], knots, weight, 1e3)
    assert_allclose(got, wanted, rtol=1e-12)


def _exactly(knots, weight, alpha):
    """Both filters and their sum of precisions in decimal arithmetic, at inner knots."""
    t, s, noise = [Decimal(v) for v in knots], [Decimal(v) for v in weight], 1 / Decimal(alpha)

    def ahead(p, c, v, h):
        bend = noise * h * h / 2
        return p + 2 * h * c + h * h * v + noise * h**3 / 3, c + h * v + bend, v + noise * h

    def precision(p, c, v):
        det = p * v - c * c
        return v / det, -c / det, p / det

    def filtered(t, s):
        h = t[1] - t[0]
        p, c, v = 1 / s[1], 1 / s[1] / h, (1 / s[0] + 1 / s[1] + noise * h**3 / 3) / h**2
        states = [None, (p, c, v)]
        for i in range(2, len(t)):
            p, c, v = ahead(p, c, v, t[i] - t[i - 1])
            total = p + 1 / s[i]
            p, c, v = p - p * p / total, c - c * p / total, v - c * c / total
            states.append((p, c, v))
        return states

    left, right = filtered(t, s), filtered([-v for v in reversed(t)], s[::-1])
    variances = []
    for i in range(1, len(t) - 2):
        a = precision(*left[i])
        b = precision(*ahead(*right[len(t) - 2 - i], t[i + 1] - t[i]))
        p, c, v = a[0] + b[0], a[1] - b[1], a[2] + b[2]
        variances.append(float(v / (p * v - c * c)))
    return variances


def test_a_stiff_curve_is_a_line():
    """linear.18: without bending, the variance of weighted least squares."""
    knots, weight = sample()
    x = np.linspace(-6.0, 8.0, 9)
    A, B = (np.column_stack([np.ones(len(z)), z]) for z in (knots, x))
    wanted = np.einsum("ij,jk,ik->i", B, np.linalg.inv(A.T @ (weight[:, None] * A)), B)
    assert_allclose(spline_variance(x, knots, weight, 1e12), wanted, rtol=1e-6)


def test_units_of_the_abscissa_do_not_matter():
    """linear.18: x times c is alpha times c cubed."""
    knots, weight = sample()
    x = np.linspace(-4.0, 6.0, 11)
    for c in (1e-6, 1e5):
        got = spline_variance(c * x, c * knots, weight, c**3 * 0.2)
        assert_allclose(got, spline_variance(x, knots, weight, 0.2), rtol=1e-7)


def test_knots_almost_equal_are_one_of_both_weights():
    """linear.18: gaps of 1e-9 lose no digits that matter."""
    knots, weight = sample()
    near = np.insert(knots, 5, knots[4] + 1e-9)
    parted = np.insert(weight, 4, 0.7)
    whole = weight.copy()
    whole[4] += 0.7
    x = np.linspace(-2.5, 4.5, 8)
    got = spline_variance(x, near, parted, 0.3)
    assert_allclose(got, spline_variance(x, knots, whole, 0.3), rtol=1e-5)
