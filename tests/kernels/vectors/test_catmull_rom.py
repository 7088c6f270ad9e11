"""The Catmull-Rom kernel (kernels.16)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.kernels import CatmullRom, check_psd, find_violation
from margin.testing import KernelContract


class TestCatmullRom(KernelContract):
    stationary = True
    definite = False

    def make(self):
        return [CatmullRom(0.8), CatmullRom((1.0, 2.0, 3.0))]


def test_cardinal_on_the_grid_and_definite_there_only():
    """kernels.16"""
    grid = np.arange(9.0)[:, None]
    assert_allclose(CatmullRom()(grid), np.eye(9), atol=1e-15)
    assert check_psd(CatmullRom(), grid)
    assert not find_violation(CatmullRom(), 1, n_points=40, spread=1.0, rng=0)


def test_polynomials_up_to_degree_two_are_reproduced():
    nodes = np.arange(-5.0, 6.0)[:, None]
    x = np.linspace(-2.0, 2.0, 33)[:, None]
    weights = CatmullRom()(x, nodes)
    for degree in (0, 1, 2):
        assert_allclose(weights @ nodes[:, 0] ** degree, x[:, 0] ** degree, atol=1e-13)
    assert np.abs(weights @ nodes[:, 0] ** 3 - x[:, 0] ** 3).max() > 0.01


def test_it_is_smooth_at_the_joins():
    kernel = CatmullRom()
    for at in (1.0, 2.0):
        sides = np.array([at - 1e-9, at + 1e-9])
        assert_allclose(*kernel.profile(sides), atol=1e-8)
        assert_allclose(*kernel.profile_slope(sides), atol=1e-7)
