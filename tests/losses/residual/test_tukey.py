"""Tukey's biweight (losses.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.losses import Tukey
from margin.testing import LossContract


class TestTukeyContract(LossContract):
    def make(self):
        return [Tukey(), Tukey(1.0), Tukey(2.5)]


def test_is_constant_beyond_c():
    """losses.14: c^2 / 6 and no pull however far."""
    far = np.array([2.0, 3.0, 1e300])
    assert_allclose(Tukey(2.0).value(far, np.zeros(3)), 4 / 6)
    assert not Tukey(2.0).slope(far, np.zeros(3)).any()


def test_against_the_formula():
    """losses.14: r (1 - (r/c)^2)^2 inside, whose integral is the loss."""
    r = np.linspace(0, 2, 20001)
    slope = r * (1 - (r / 2) ** 2) ** 2
    integral = np.concatenate([[0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * np.diff(r))])
    assert_allclose(Tukey(2.0).slope(r, 0 * r), slope)
    assert_allclose(Tukey(2.0).value(r, 0 * r), integral, atol=1e-8)


def test_is_not_convex_and_says_so():
    assert not Tukey.convex
    assert Tukey().curvature(np.array([3.5]), np.zeros(1))[0] < 0


def test_default_keeps_95_percent_efficiency():
    r = np.linspace(-10, 10, 200001)
    density = norm.pdf(r) * (r[1] - r[0])
    loss = Tukey()
    bend, force = loss.curvature(r, 0 * r) @ density, loss.slope(r, 0 * r) ** 2 @ density
    assert_allclose(bend**2 / force, 0.95, atol=1e-3)


def test_tiny_residuals_keep_their_digits():
    assert_allclose(Tukey(1.0).value(np.array([1e-9]), np.zeros(1)), 0.5e-18, rtol=1e-12)


def test_bad_c_is_refused():
    with pytest.raises(ValueError, match="Tukey: c must be a number above 0, got -1"):
        Tukey(-1)
