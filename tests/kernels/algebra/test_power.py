"""Integer powers of a kernel (kernels.19, kernels.21)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Linear, Power
from margin.testing import KernelContract


class TestPower(KernelContract):
    def make(self):
        return [Linear() ** 2, (RBF(0.8) + 0.5) ** 3, RBF((1.0, 2.0, 3.0)) ** 1]


def test_polynomial_of_a_kernel():
    """kernels.21: (k + c)^d for any base kernel; the golden numbers of kernels.03."""
    assert ((Linear() + 1.0) ** 2)([[1.0, 2.0]], [[3.0, 4.0]])[0, 0] == 144.0
    X = np.random.default_rng(0).normal(size=(7, 2))
    assert_allclose(((RBF(1.3) + 0.5) ** 4)(X), (RBF(1.3)(X) + 0.5) ** 4, rtol=1e-13)


@pytest.mark.parametrize("exponent", [0, -1, 1.5, "a", True])
def test_exponent_is_refused(exponent):
    with pytest.raises(ValueError, match="Power: exponent must be an integer of at least 1"):
        Power(RBF(), exponent)
