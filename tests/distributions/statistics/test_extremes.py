"""Ranges of columns as a monoid."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Extremes


def test_rows_without_weight_and_gaps_are_left_out():
    ends = Extremes.of([[1.0, np.nan], [5.0, 2.0], [9.0, 3.0]], [1.0, 1.0, 0.0])
    assert_allclose([ends.low, ends.high], [[1.0, 2.0], [5.0, 2.0]])
    nothing = Extremes.of(np.empty((0, 2)))
    assert_allclose((ends + nothing).low, ends.low)
    assert nothing.low.tolist() == [np.inf, np.inf]
    assert (sum([ends, ends]).weight == 2 * ends.weight).all()
    with pytest.raises(ValueError, match="Extremes: X must be finite or NaN"):
        Extremes.of([np.inf])
    with pytest.raises(ValueError, match="Extremes: shape must be"):
        ends + Extremes.of([1.0])
