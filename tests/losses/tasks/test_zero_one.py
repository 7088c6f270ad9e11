"""Number of misclassifications (losses.03)."""

import numpy as np

from margin.losses import ZeroOne
from margin.testing import LossContract


class TestZeroOneContract(LossContract):
    def make(self):
        return [ZeroOne()]


def test_counts_the_errors():
    """losses.03: the sum is the number of wrong signs; an undecided score is wrong."""
    z, y = np.array([3.0, -3.0, 0.1, -0.1, 0.0]), np.array([1, 1, 0, 0, 1])
    assert ZeroOne().value(z, y).tolist() == [0, 1, 1, 0, 1]
    assert ZeroOne().sweep(z, y, None)[0] == 3.0


def test_says_that_its_slope_is_worthless():
    """losses.03: the flags by which solvers refuse it."""
    assert ZeroOne.piecewise_constant
    assert not ZeroOne.convex
    assert not ZeroOne.differentiable
    assert not ZeroOne().slope(np.array([-2.0, 0.0, 2.0]), np.ones(3)).any()


def test_least_expected_loss_is_the_mode():
    """losses.03: over both decisions the more probable label is the cheaper one."""
    for p in (0.2, 0.45, 0.7):
        risk = [
            p * ZeroOne().value(np.array([z]), np.array([1]))[0]
            + (1 - p) * ZeroOne().value(np.array([z]), np.array([0]))[0]
            for z in (-1.0, 1.0)
        ]
        assert np.argmin(risk) == int(p > 0.5)
        assert min(risk) == min(p, 1 - p)
