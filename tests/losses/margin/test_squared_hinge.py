"""Squared hinge loss (losses.07)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.losses import Hinge, SquaredHinge
from margin.testing import LossContract


class TestSquaredHingeContract(LossContract):
    def make(self):
        return [SquaredHinge()]


def test_golden_numbers():
    """losses.07: y f = -1, 0, .5, 1 gives 4, 1, .25, 0, and nothing beyond."""
    m = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    assert SquaredHinge().value(m, np.ones(5)).tolist() == [4, 1, 0.25, 0, 0]
    assert SquaredHinge().slope(m, np.ones(5)).tolist() == [-4, -2, -1, 0, 0]
    assert SquaredHinge().curvature(m, np.ones(5)).tolist() == [2, 2, 2, 0, 0]


def test_is_the_square_of_the_hinge():
    """losses.07."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.integers(2, size=50)
    assert_allclose(SquaredHinge().value(z, y), Hinge().value(z, y) ** 2)
