"""Volumes of kernels by integration, draws by their moments."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.special import gamma

from margin.neighbors.density._kernel_constants import KERNELS, draw, log_volume, profile


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("p", [1, 2, 3, 7])
def test_volumes(kernel, p):
    """The integral over shells of the sphere."""
    sphere = 2.0 * np.pi ** (p / 2) / gamma(p / 2)
    top = 60.0 if kernel in ("gaussian", "exponential") else 1.0
    radial, _ = quad(lambda r: float(profile(kernel, np.array(r))) * r ** (p - 1), 0, top)
    assert_allclose(log_volume(kernel, 2.5, p), np.log(sphere * radial * 2.5**p), rtol=1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
def test_draws_have_the_radii_of_the_kernel(kernel):
    p, n = 3, 20_000
    points = draw(kernel, 2.0, n, p, np.random.default_rng(0))
    assert_allclose(points.mean(axis=0), 0.0, atol=0.12)
    top = 60.0 if kernel in ("gaussian", "exponential") else 1.0

    def moment(power):
        return quad(lambda r: float(profile(kernel, np.array(r))) * r ** (p - 1 + power), 0, top)[0]

    radius = np.linalg.norm(points, axis=1) / 2.0
    assert_allclose(radius.mean(), moment(1) / moment(0), rtol=0.02)
    assert_allclose((radius**2).mean(), moment(2) / moment(0), rtol=0.04)
