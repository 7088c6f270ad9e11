"""Hinge loss (losses.06)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.losses import Hinge
from margin.testing import LossContract


class TestHingeContract(LossContract):
    def make(self):
        return [Hinge()]


def test_golden_numbers():
    """losses.06: y f = 2, 1, .5, 0, -1 gives 0, 0, .5, 1, 2, for either label."""
    m = np.array([2.0, 1.0, 0.5, 0.0, -1.0])
    assert Hinge().value(m, np.ones(5)).tolist() == [0, 0, 0.5, 1, 2]
    assert Hinge().value(-m, np.zeros(5)).tolist() == [0, 0, 0.5, 1, 2]


def test_is_continuous_where_the_margin_reaches_one():
    """losses.06: no jump and nothing negative between margins 0 and 1."""
    m = np.linspace(0.9, 1.1, 2001)
    value = Hinge().value(m, np.ones_like(m))
    assert value.min() == 0
    assert np.abs(np.diff(value)).max() <= 1.01e-4


def test_is_the_least_slack():
    """losses.06: the smallest xi >= 0 with y z >= 1 - xi, on a grid."""
    grid = np.linspace(0, 5, 50001)
    for z, y in ((0.3, 1), (-1.2, 1), (1.7, 1), (0.3, -1)):
        feasible = grid[y * z >= 1 - grid - 1e-12]
        assert_allclose(Hinge().value(np.array([z]), np.array([y]))[0], feasible.min(), atol=1e-4)
