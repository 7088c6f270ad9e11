"""Ridge penalty (penalties.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.penalties import L2
from margin.testing import PenaltyContract


class TestL2Contract(PenaltyContract):
    def make(self):
        return [L2(0.0), L2(0.3), L2(), L2(20.0)]


def test_golden_numbers():
    """penalties.01: half alpha times the squared norm, Frobenius' for a matrix."""
    assert L2(2.0).value(np.array([1.0, 3.0])) == 10.0
    W = np.array([[1.0, -2.0], [0.0, 3.0]])
    assert L2(0.5).value(W) == 0.25 * np.linalg.norm(W, "fro") ** 2 == 3.5
    assert_allclose(L2(0.5).gradient(W), 0.5 * W)
    assert_allclose(L2(0.5).curvature(W), 0.5)


def test_is_the_negative_log_of_a_gaussian_prior():
    """penalties.01: of precision alpha, up to a constant."""
    w = np.array([0.3, -1.2, 2.0])
    prior = -norm.logpdf(w, scale=1 / np.sqrt(1.7)).sum()
    constant = -norm.logpdf(np.zeros(3), scale=1 / np.sqrt(1.7)).sum()
    assert_allclose(L2(1.7).value(w), prior - constant)


@pytest.mark.parametrize("w", [-2.5, 0.0, 1.7])
@pytest.mark.parametrize("step", [0.1, 1.0, 4.0])
def test_prox_against_a_grid(w, step):
    """penalties.01: shrinkage by 1 / (1 + step alpha) minimises the envelope."""
    grid = np.arange(-40000, 40001) / 1e4
    envelope = 0.4 * grid**2 + (grid - w) ** 2 / (2 * step)
    found = L2(0.8).prox(np.array([w]), step)[0]
    assert abs(found - grid[np.argmin(envelope)]) <= 1e-4


def test_strong_convexity():
    """penalties.01: a chord lies alpha t (1 - t) |w - v|^2 / 2 above the penalty, exactly."""
    rng = np.random.default_rng(0)
    w, v, t = rng.normal(size=5), rng.normal(size=5), 0.3
    penalty = L2(1.3)
    chord = t * penalty.value(w) + (1 - t) * penalty.value(v)
    gap = chord - penalty.value(t * w + (1 - t) * v)
    assert_allclose(gap, 0.5 * 1.3 * t * (1 - t) * np.sum((w - v) ** 2))
