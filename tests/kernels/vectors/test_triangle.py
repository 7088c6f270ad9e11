"""The triangle kernel (kernels.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import Triangle, cardinal
from margin.testing import KernelContract


class TestTriangle(KernelContract):
    stationary = True

    def make(self):
        return [Triangle(2.1), Triangle((1.3, 2.2, 4.1))]


@pytest.mark.parametrize(("t", "variance"), [(0.25, 0.375), (0.5, 0.5), (0.0, 0.0)])
def test_linear_interpolation_and_its_variance(t, variance):
    """kernels.12: on the integer grid K = I and the mean is linear, the variance 2 t (1 - t)."""
    nodes = np.arange(6.0)[:, None]
    weights = cardinal(Triangle(), nodes)([[2.0 + t]])[0]
    assert_allclose(weights[2:4], [1.0 - t, t], atol=1e-14)
    row = Triangle()([[2.0 + t]], nodes)[0]
    assert_allclose(1.0 - row @ weights, variance, atol=1e-14)
