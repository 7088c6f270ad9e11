"""The constant kernel."""

import numpy as np
import pytest

from margin.kernels import Constant
from margin.testing import KernelContract


class TestConstant(KernelContract):
    stationary = True

    def make(self):
        return [Constant(), Constant(0.2)]


def test_compares_anything():
    """kernels.19: as a summand or factor of any kernel."""
    K = Constant(3.0)(["ab", "c"], ["d"])
    assert K.shape == (2, 1)
    assert (K == 3.0).all()
    assert Constant(3.0).diag(np.zeros((4, 1), dtype=np.float32)).dtype == np.float32


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, "x"])
def test_value_is_refused(value):
    with pytest.raises(ValueError, match="Constant: value must be"):
        Constant(value)
