"""Targets that are numbers."""

import pytest
from numpy.testing import assert_array_equal

from margin.neighbors.models._number_targets import NumberTargets


def test_shapes():
    one, two = NumberTargets.of("M", [1, 2]), NumberTargets.of("M", [[1, 2], [3, 4]])
    assert_array_equal(one.shaped(one.values), [1.0, 2.0])
    assert_array_equal(two.shaped(two.values), [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="M: y must be numbers"):
        NumberTargets.of("M", ["a"])
