"""Sums of functions of the data (distributions.37)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.distributions.statistics._totals import Totals


def test_sums_leave_out_what_is_not_observed():
    """distributions.37: by loops, for two columns and two functions."""
    rng = np.random.default_rng(0)
    T = rng.normal(size=(30, 4, 2))
    T[rng.random((30, 4)) < 0.3] = np.nan
    shares = rng.random((30, 3))
    totals = Totals.of(T, shares)
    assert totals.total.shape == (3, 4, 2)
    for k in range(3):
        for c in range(4):
            seen = ~np.isnan(T[:, c, 0])
            assert_allclose(totals.weight[k, c], shares[seen, k].sum())
            assert_allclose(totals.total[k, c], shares[seen, k] @ T[seen, c])
        same = Totals.of(T, shares[:, k])
        assert_allclose(totals[k].total, same.total)
        assert_allclose(totals[k].means, same.means)


def test_monoid():
    a, b = Totals.of(np.ones((2, 1))), Totals.of(np.full((3, 1), 2.0))
    total = sum([a, b])
    assert total.weight == 5.0
    assert_array_equal(total.total, [8.0])
    assert Totals.of(np.empty((0, 1))).means == 0.0
    with pytest.raises(ValueError, match="Totals: shape must be"):
        a + Totals.of(np.ones((2, 2)))
    with pytest.raises(TypeError):
        a + 1
