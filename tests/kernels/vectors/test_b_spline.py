"""B-spline kernels (kernels.15)."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import BSpline as PeerSpline

from margin.kernels import BSpline, check_psd, find_violation
from margin.kernels.vectors._b_spline import b_spline
from margin.testing import KernelContract


class TestOddDegrees(KernelContract):
    stationary = True

    def make(self):
        return [BSpline(1.7, 1), BSpline((1.0, 2.0, 3.0), 3), BSpline(0.9, 5)]


class TestEvenDegrees(KernelContract):
    stationary = True
    definite = False

    def make(self):
        return [BSpline(1.7, 2), BSpline((1.0, 2.0, 3.0), 4)]


def test_grid_rows():
    """kernels.15: B_2 (1/8, 3/4, 1/8) and B_3 (1/6, 2/3, 1/6)."""
    u = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert_allclose(b_spline(u, 2), [0, 1 / 8, 3 / 4, 1 / 8, 0], atol=1e-15)
    assert_allclose(b_spline(u, 3), [0, 1 / 6, 2 / 3, 1 / 6, 0], atol=1e-15)
    assert_allclose(b_spline(u, 1), [0, 0, 1, 0, 0])
    assert_allclose(b_spline(np.array([-0.5, 0.2, 0.5, 0.6]), 0), [0.5, 1.0, 0.5, 0.0])


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_recursion_is_a_convolution_with_the_box(degree):
    """B_d(u) is the mean of B_(d-1) over the unit interval around u."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for u in (0.0, 0.3, 0.77, 1.4, 2.2):
        cuts = np.unique(np.concatenate([[u - 0.5, u + 0.5], np.arange(-3.0, 3.5, 0.5)]))
        cuts = cuts[(cuts >= u - 0.5) & (cuts <= u + 0.5)]
        total = 0.0
        for low, high in pairwise(cuts):
            at = 0.5 * (high - low) * nodes + 0.5 * (high + low)
            total += 0.5 * (high - low) * float(weights @ b_spline(at, degree - 1))
        assert_allclose(b_spline(np.array([u]), degree), total, atol=1e-13)


@pytest.mark.parametrize("degree", [1, 2, 3, 5, 7, 9])
def test_agrees_with_scipy(degree):
    knots = np.arange(degree + 2) - 0.5 * (degree + 1)
    element = PeerSpline.basis_element(knots, extrapolate=False)
    u = np.linspace(-6, 6, 301)
    assert_allclose(b_spline(u, degree), np.nan_to_num(element(u)), atol=1e-14)


@pytest.mark.parametrize("degree", [0, 2])
def test_even_degrees_are_definite_on_the_grid_only(degree):
    """kernels.15"""
    kernel = BSpline(1.0, degree)
    assert check_psd(kernel, np.arange(12.0)[:, None]).eigenvalue >= 0.49
    assert not find_violation(kernel, 1, n_points=40, spread=1.0, rng=0)
    assert kernel.definite == "grid"
    assert BSpline(1.0, degree + 1).definite == "positive"


def test_degree_is_refused():
    with pytest.raises(ValueError, match="BSpline: degree must be one of"):
        BSpline(1.0, -1)
