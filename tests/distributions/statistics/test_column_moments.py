"""Moments of columns for many members at once (distributions.37)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import ColumnMoments
from margin.testing.contracts._statistics import assert_statistics_close


@pytest.mark.parametrize("columns", [(), (3,)])
def test_members_equal_weighted_columns(columns):
    """distributions.37: gaps, large means, a member without weight, several blocks."""
    rng = np.random.default_rng(0)
    X = 1e6 + rng.normal(size=(70_000, *columns))
    X[rng.random(X.shape) < 0.1] = np.nan
    shares = rng.dirichlet(np.ones(3), size=len(X))
    shares[:, 1] = 0.0
    stacked = ColumnMoments.of(X, shares)
    for j in range(3):
        assert_statistics_close(stacked[j], ColumnMoments.of(X, shares[:, j]))


def test_members_far_apart_lose_no_digits():
    """distributions.16: two clusters 1e8 apart with unit spread."""
    x = np.array([-1.0, 1.0, 1e8 - 1, 1e8 + 1])
    shares = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert_allclose(ColumnMoments.of(x, shares).scatter, 2.0, rtol=1e-12)


def test_no_rows():
    nothing = ColumnMoments.of(np.empty((0, 2)), np.empty((0, 3)))
    assert nothing.mean.shape == (3, 2)
    assert nothing.weight.sum() == 0
