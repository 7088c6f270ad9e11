"""Epsilon-insensitive loss (losses.11)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Absolute, EpsilonInsensitive
from margin.testing import LossContract


class TestEpsilonInsensitiveContract(LossContract):
    def make(self):
        return [EpsilonInsensitive(), EpsilonInsensitive(0.0), EpsilonInsensitive(0.7)]


def test_golden_numbers():
    """losses.11: with eps = .5, a residual of .3 costs 0 and one of 1.2 costs .7."""
    found = EpsilonInsensitive(0.5).value(np.array([0.3, -0.3, 1.2, -1.2]), np.zeros(4))
    assert_allclose(found, [0, 0, 0.7, 0.7])


def test_no_tube_is_the_absolute_loss():
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=30), rng.normal(size=30)
    assert_allclose(EpsilonInsensitive(0).value(z, y), Absolute().value(z, y))
    assert_allclose(EpsilonInsensitive(0).slope(z, y), Absolute().slope(z, y))


def test_bad_width_is_refused():
    with pytest.raises(ValueError, match="EpsilonInsensitive: epsilon must be a number of at"):
        EpsilonInsensitive(-0.1)
