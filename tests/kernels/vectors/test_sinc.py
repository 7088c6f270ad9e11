"""The sinc kernel (kernels.16)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.kernels import Sinc
from margin.testing import KernelContract


class TestSinc(KernelContract):
    stationary = True

    def make(self):
        return [Sinc(), Sinc((0.7, 1.5, 3.0))]


def test_cardinal_on_the_grid():
    """kernels.16: the matrix of the grid is the identity."""
    grid = 0.5 * np.arange(9.0)[:, None]
    assert_allclose(Sinc(0.5)(grid), np.eye(9), atol=1e-15)


def test_band_limited_signals_are_reproduced():
    nodes = np.arange(-400.0, 401.0)[:, None]
    x = np.array([[0.3], [1.71], [-2.5]])

    def signal(t):
        return np.sinc(0.4 * t) ** 2  # bandwidth 0.4 < 1/2, dies out quickly

    interpolant = Sinc()(x, nodes) @ signal(nodes[:, 0])
    assert_allclose(interpolant, signal(x[:, 0]), atol=1e-5)


def test_slope_next_to_zero():
    u = np.array([0.0, 1e-6, 9e-5, 1.1e-4])
    numeric = (np.sinc(u + 1e-3) - np.sinc(u - 1e-3)) / 2e-3
    assert_allclose(Sinc().profile_slope(u), numeric, atol=1e-6)
