"""Squared epsilon-insensitive loss."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import EpsilonInsensitive, Squared, SquaredEpsilonInsensitive
from margin.testing import LossContract


class TestSquaredEpsilonInsensitiveContract(LossContract):
    def make(self):
        widths = (0.0, 0.1, 0.7)
        return [SquaredEpsilonInsensitive(width) for width in widths]


def test_is_the_square_of_the_insensitive_loss():
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=30), rng.normal(size=30)
    wanted = EpsilonInsensitive(0.4).value(z, y) ** 2
    assert_allclose(SquaredEpsilonInsensitive(0.4).value(z, y), wanted)


def test_no_tube_is_the_square():
    rng = np.random.default_rng(1)
    z, y = rng.normal(size=30), rng.normal(size=30)
    assert_allclose(SquaredEpsilonInsensitive(0.0).value(z, y), 2 * Squared().value(z, y))


def test_bad_width_is_refused():
    with pytest.raises(ValueError, match="SquaredEpsilonInsensitive: epsilon must be a number of"):
        SquaredEpsilonInsensitive(-0.1)
