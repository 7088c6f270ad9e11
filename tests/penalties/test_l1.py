"""Lasso penalty and its soft threshold (penalties.02)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.penalties import L1
from margin.testing import PenaltyContract


class TestL1Contract(PenaltyContract):
    def make(self):
        return [L1(0.0), L1(0.3), L1(), L1(2.0)]


def test_golden_numbers():
    """penalties.02: sums of absolute values, for vectors and for every entry of a matrix."""
    w = np.array([[1.0, -2.0], [0.0, 3.0]])
    assert L1(0.5).value(w) == 3.0
    assert_array_equal(L1(0.5).gradient(w), [[0.5, -0.5], [0.0, 0.5]])


def test_soft_threshold():
    """penalties.02: sign(w) max(|w| - alpha step, 0), with exact zeros inside."""
    w = np.array([-3.0, -1.0, -0.2, 0.0, 0.2, 1.0, 3.0])
    assert_allclose(L1(1.0).prox(w, 1.0), [-2, 0, 0, 0, 0, 0, 2])
    assert_allclose(L1(2.0).prox(w, 0.25), [-2.5, -0.5, 0, 0, 0, 0.5, 2.5])
    assert np.count_nonzero(L1(1.0).prox(w, 1.0)) == 2


@pytest.mark.parametrize("w", [-2.5, -0.3, 0.0, 0.31, 1.7])
@pytest.mark.parametrize("step", [0.1, 1.0, 4.0])
def test_prox_against_a_grid(w, step):
    """penalties.02: no point of a fine grid is better than the threshold."""
    grid = np.arange(-40000, 40001) / 1e4
    envelope = 0.8 * np.abs(grid) + (grid - w) ** 2 / (2 * step)
    found = L1(0.8).prox(np.array([w]), step)[0]
    assert abs(found - grid[np.argmin(envelope)]) <= 1e-4


def test_residual_sum_of_squares_has_half_the_threshold():
    """penalties.02: RSS + lambda |b| is minimised at the soft threshold lambda / 2."""
    y, strength = 1.3, 0.9
    grid = np.arange(-20000, 20001) / 1e4
    best = grid[np.argmin((y - grid) ** 2 + strength * np.abs(grid))]
    # (y - b)^2 is |b - y|^2 / (2 step) with step 1/2.
    assert_allclose(L1(strength).prox(np.array([y]), 0.5)[0], y - strength / 2)
    assert_allclose(best, y - strength / 2, atol=1e-4)


@pytest.mark.parametrize("slope", [-2.0, -0.5, 0.0, 0.4, 3.0])
@pytest.mark.parametrize("w", [-1.0, 0.0, 2.0])
def test_least_subgradient_is_the_nearest_to_zero(w, slope):
    """penalties.02: at a kink every slope between -alpha and alpha is allowed."""
    choices = np.linspace(-1, 1, 2001) if w == 0 else np.array([np.sign(w)])
    sums = slope + 1.2 * choices
    wanted = sums[np.argmin(np.abs(sums))]
    found = L1(1.2).least_subgradient(np.array([w]), np.array([slope]))[0]
    assert abs(found - wanted) <= 1e-3
    assert abs(found) <= np.abs(sums).min() + 1e-12
