"""Numeric columns as states."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.graphical.network._quantile_bins import QuantileBins


def test_few_values_stay_apart():
    X = np.array([[0.0, 5.0], [1.0, 5.0], [3.0, 5.0], [0.0, 5.0]])
    bins = QuantileBins.learned(X, None, 5)
    assert bins.cardinalities == (3, 1)
    assert_array_equal(bins.codes(X), [[0, 0], [1, 0], [2, 0], [0, 0]])
    assert_array_equal(bins.codes(np.array([[0.4, 9.0], [np.nan, 0.0]])), [[0, 0], [-1, 0]])


@pytest.mark.parametrize("n_bins", [1, 2, 3, 7])
def test_many_values_are_cut_evenly(n_bins):
    X = np.random.default_rng(0).normal(size=(1000, 1))
    bins = QuantileBins.learned(X, None, n_bins)
    counts = np.bincount(bins.codes(X).ravel(), minlength=n_bins)
    assert len(counts) == n_bins
    assert counts.max() - counts.min() <= 2


def test_weights_are_repetitions():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2)).round(1)
    weight = rng.integers(0, 4, 60).astype(float)
    weighted = QuantileBins.learned(X, weight, 4)
    repeated = QuantileBins.learned(np.repeat(X, weight.astype(int), axis=0), None, 4)
    for a, b in zip(weighted.cuts, repeated.cuts, strict=True):
        assert_array_equal(a, b)


def test_neighbouring_and_huge_numbers():
    for low in (0.1, 1e308, -1e308, 5e-324):
        X = np.array([[low], [np.nextafter(low, np.inf)]])
        assert_array_equal(QuantileBins.learned(X, None, 3).codes(X).ravel(), [0, 1])
    wide = np.array([[-1.7e308], [1.7e308]])
    assert_array_equal(QuantileBins.learned(wide, None, 3).codes(wide).ravel(), [0, 1])
    empty = np.full((3, 1), np.nan)
    assert QuantileBins.learned(empty, None, 3).cardinalities == (1,)
