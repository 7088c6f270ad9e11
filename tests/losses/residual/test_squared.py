"""Half the squared residual (losses.02)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.losses import Squared
from margin.testing import LossContract


class TestSquaredContract(LossContract):
    def make(self):
        return [Squared()]


def test_golden_numbers():
    """losses.02: half of the square, at residuals 0, 1, -2 and 3."""
    z, y = np.array([1.0, 2.0, -1.0, 4.0]), np.ones(4)
    assert_allclose(Squared().value(z, y), [0.0, 0.5, 2.0, 4.5])
    assert_allclose(Squared().slope(z, y), [0.0, 1.0, -2.0, 3.0])
    assert_allclose(Squared().curvature(z, y), np.ones(4))


def test_minimiser_over_a_constant_is_the_mean():
    """losses.02: on a fine grid nothing beats the weighted mean."""
    rng = np.random.default_rng(0)
    y, s = rng.normal(size=30), rng.random(30)
    grid = np.linspace(-2, 2, 4001)
    total = [Squared().sweep(np.full(30, c), y, s)[0] for c in grid]
    assert abs(grid[np.argmin(total)] - np.average(y, weights=s)) <= 1e-3


def test_is_the_negative_gaussian_log_likelihood():
    """losses.02: up to a constant, for unit variance."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=20), rng.normal(size=20)
    nll = -norm.logpdf(y, loc=z)
    assert_allclose(Squared().value(z, y) + 0.5 * np.log(2 * np.pi), nll)
