"""Labels as signs (losses.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Exponential, Hinge, Perceptron, SquaredHinge, ZeroOne
from margin.losses._margin import signs


def test_both_codings_give_the_same_sign():
    assert signs(np.array([0, 1, 1])).tolist() == [-1, 1, 1]
    assert signs(np.array([-1.0, 1.0, 1.0])).tolist() == [-1, 1, 1]


@pytest.mark.parametrize("loss", [ZeroOne(), Perceptron(), Hinge(), SquaredHinge(), Exponential()])
def test_margin_losses_take_both_codings(loss):
    """losses.01: a loss of the margin y z means the same for labels 0/1 and -1/+1."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.integers(2, size=50)
    for method in (loss.value, loss.slope, loss.curvature):
        assert_allclose(method(z, y), method(z, 2.0 * y - 1))
        # Only the product of label and score counts.
        assert_allclose(np.abs(method(z, y)), np.abs(method(-z, 1 - y)))
