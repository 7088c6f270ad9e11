"""Losses of robust regression (linear.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import norm

from margin.linear.regression._robust_loss import RobustLoss

LOSSES = [
    RobustLoss("huber", 1.345),
    RobustLoss("huber", 0.3),
    RobustLoss("absolute", 1e-3),
    RobustLoss("tukey", 4.685),
    RobustLoss("tukey", 1.5),
    RobustLoss("tukey", 40.0),
]


@pytest.mark.parametrize("loss", LOSSES)
def test_weight_is_the_slope_over_the_residual(loss):
    """linear.12: by central differences."""
    u = np.array([-7.0, -2.0, -0.4, 0.1, 1.0, 3.0, 9.0])
    h = 1e-6
    slope = (loss.value(u + h) - loss.value(u - h)) / (2 * h)
    assert_allclose(loss.weight(u) * u, slope, atol=1e-8)


@pytest.mark.parametrize("loss", LOSSES)
def test_inefficiency_is_the_ratio_of_expectations(loss):
    """linear.12: E[psi^2] / E[psi']^2 by quadrature; psi' in the form E[psi'] = E[u psi]."""
    d = loss.delta
    points = [-d, 0.0, d] if d < 12 else None

    def psi(u):
        return float(loss.weight(np.array(u)) * u)

    square = quad(lambda u: psi(u) ** 2 * norm.pdf(u), -12, 12, points=points, limit=200)[0]
    slope = quad(lambda u: u * psi(u) * norm.pdf(u), -12, 12, points=points, limit=200)[0]
    assert_allclose(loss.inefficiency, square / slope**2, rtol=1e-6)


def test_known_efficiencies():
    """linear.12: 95 % for the usual widths, 2/pi for absolute values, all of a wide parabola."""
    assert_allclose(1 / RobustLoss("huber", 1.345).inefficiency, 0.95, atol=1e-3)
    assert_allclose(1 / RobustLoss("tukey", 4.685).inefficiency, 0.95, atol=1e-3)
    assert_allclose(1 / RobustLoss("absolute", 1e-3).inefficiency, 2 / np.pi, atol=1e-3)
    for kind in ("huber", "tukey"):
        assert_allclose(RobustLoss(kind, 1e6).inefficiency, 1.0, rtol=1e-6)
