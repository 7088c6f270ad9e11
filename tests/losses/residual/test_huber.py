"""Huber's loss (losses.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import huber
from scipy.stats import norm

from margin.losses import Huber
from margin.testing import LossContract


class TestHuberContract(LossContract):
    def make(self):
        return [Huber(), Huber(0.2), Huber(3.0)]


def test_against_scipy():
    """losses.14: value of scipy.special.huber."""
    z = np.linspace(-5, 5, 101)
    for delta in (0.5, 1.0, 2.0):
        assert_allclose(Huber(delta).value(z, np.zeros(101)), huber(delta, z))


def test_limits():
    """losses.14: wide it is the squared loss, narrow the absolute one."""
    z = np.linspace(-3, 3, 13)
    assert_allclose(Huber(100.0).value(z, np.zeros(13)), 0.5 * z**2)
    assert_allclose(Huber(1e-9).value(z, np.zeros(13)) / 1e-9, np.abs(z), atol=1e-8)


def test_default_keeps_95_percent_efficiency():
    """losses.14: (E psi')^2 / E psi^2 under a standard normal, by quadrature."""
    r = np.linspace(-10, 10, 200001)
    density = norm.pdf(r) * (r[1] - r[0])
    loss = Huber()
    bend, force = loss.curvature(r, 0 * r) @ density, loss.slope(r, 0 * r) ** 2 @ density
    assert_allclose(bend**2 / force, 0.95, atol=1e-3)


def test_bad_delta_is_refused():
    with pytest.raises(ValueError, match="Huber: delta must be a number above 0, got 0"):
        Huber(0)
