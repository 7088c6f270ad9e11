"""Weighted rows as a monoid."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import WeightedSample
from margin.testing.contracts._statistics import assert_statistics_close


def test_equal_rows_are_merged_whatever_the_order():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(50, 2)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    w = rng.integers(0, 3, size=50).astype(float)
    whole = WeightedSample.of(X, w)
    order = rng.permutation(50)
    assert_statistics_close(WeightedSample.of(X[order], w[order]), whole)
    parts = WeightedSample.of(X[:20], w[:20]) + WeightedSample.of(X[20:], w[20:])
    assert_statistics_close(parts, whole)
    assert len(whole.values) <= 16
    for j, (values, weight) in enumerate(whole.columns()):
        assert_allclose(weight.sum(), w[~np.isnan(X[:, j])].sum())
        assert not np.isnan(values).any()


def test_members():
    shares = np.random.default_rng(0).random((4, 2))
    both = WeightedSample.of([1.0, 2.0, 1.0, 3.0], shares)
    assert both.shape == (2,)
    assert_allclose(both[1].weight, [shares[[0, 2], 1].sum(), shares[1, 1], shares[3, 1]])
    with pytest.raises(TypeError):
        both[0][0]
    with pytest.raises(ValueError, match="WeightedSample: X must be one- or two-dimensional"):
        WeightedSample.of(np.ones((1, 1, 1)))
    with pytest.raises(ValueError, match="WeightedSample: columns must be"):
        both + WeightedSample.of([[1.0, 2.0]])
