"""The delta kernel (kernels.27)."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.kernels import Delta
from margin.testing import KernelContract


class TestDelta(KernelContract):
    stationary = True

    def make(self):
        return [Delta()]

    def draw(self, rng, n):
        return rng.integers(0, 2, size=(n, 2)).astype(float)


def test_matches_and_nothing_else():
    """kernels.27: one if equal, zero otherwise, for any type."""
    X = ["a", ("a", 1), 3, None, frozenset({2}), "a"]
    assert_array_equal(Delta()(X), [[float(x == z) for z in X] for x in X])
    assert_array_equal(Delta()(X, ["a", 4]), [[float(x == z) for z in ("a", 4)] for x in X])
    assert_array_equal(Delta()(np.array([1, 2, 1]))[0], [1.0, 0.0, 1.0])
    assert Delta()([]).shape == (0, 0)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ("word", "Delta: X must be a list of objects, got 'str'"),
        ([{}], r"Delta: X\[0\] must be hashable, or a row of numbers"),
        ([1.0, float("nan")], r"Delta: X\[1\] must be equal to itself, got nan"),
        (np.array([[0.0, np.nan]]), r"Delta: X\[0\] must be equal to itself"),
    ],
)
def test_refusals(X, message):
    with pytest.raises(ValueError, match=message):
        Delta()(X)
