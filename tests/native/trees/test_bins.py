"""Cuts and codes against NumPy: gaps of distinct values, equal weights, searchsorted."""

import numpy as np
import pytest

from margin.native.trees.bins import (
    column_codes,
    encode_bins,
    quantile_cuts,
    table_of_codes,
)
from margin.search import Bins


def cuts_of(x, *, weight=None, max_bins=255, rows=None):
    X = np.asarray(x).reshape(-1, 1)
    rows = np.arange(len(X)) if rows is None else rows
    return quantile_cuts(X, rows, weight, max_bins, np.zeros(1, dtype=bool), 1)[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_few_values_are_kept_apart(dtype):
    x = np.array([3.0, -1.0, 3.0, np.nan, 0.0, -0.0, 1e30], dtype=dtype)
    cuts = cuts_of(x)
    distinct = np.unique(x[~np.isnan(x)])
    assert len(cuts) == len(distinct) - 1 == 3
    assert (distinct[:-1] <= cuts).all()
    assert (cuts < distinct[1:]).all()


def test_neighbours_and_infinities_are_separated():
    x = np.array([1.0, np.nextafter(1.0, 2.0), -np.inf, np.inf, 1.7e308, -1.7e308])
    cuts, distinct = cuts_of(x), np.unique(x)
    assert (distinct[:-1] <= cuts).all()
    assert (cuts < distinct[1:]).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_many_values_share_bins_of_equal_weight(weighted):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(5000)
    weight = rng.random(5000) if weighted else None
    cuts = cuts_of(x, weight=weight, max_bins=20)
    assert len(cuts) == 19
    shares = np.bincount(np.searchsorted(cuts, x), weight) / (
        5000 if weight is None else weight.sum()
    )
    np.testing.assert_allclose(shares, 0.05, atol=0.001)


def test_a_heavy_value_has_a_bin_of_its_own():
    x = np.concatenate([np.zeros(5000), np.arange(1.0, 1001.0)])
    cuts = cuts_of(x, max_bins=11)
    assert len(cuts) == 10
    np.testing.assert_allclose(np.bincount(np.searchsorted(cuts, x)), [5000, *[100] * 10], atol=1)


def test_weights_are_counts_of_rows():
    rng = np.random.default_rng(1)
    x = rng.standard_normal(800)
    counts = rng.integers(0, 4, 800)
    repeated = cuts_of(np.repeat(x, counts), max_bins=16)
    np.testing.assert_array_equal(cuts_of(x, weight=counts.astype(float), max_bins=16), repeated)


def test_only_the_chosen_rows_count():
    x = np.arange(10.0)
    np.testing.assert_array_equal(cuts_of(x, rows=np.array([2, 4])), [3.0])
    assert len(cuts_of(x, rows=np.array([2]))) == 0
    assert len(cuts_of(np.full(3, np.nan))) == 0


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("p", [1, 16, 17, 40])
def test_codes_are_those_of_searchsorted(p, dtype, order):
    rng = np.random.default_rng(p)
    X = np.array(np.round(rng.standard_normal((2500, p)), 2), dtype=dtype, order=order)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, -1] = 1.0
    bins = Bins.of(X, max_bins=40)
    codes = np.stack(
        [
            np.where(np.isnan(X[:, j]), bins.n_bins[j], np.searchsorted(bins.cuts_of(j), X[:, j]))
            for j in range(p)
        ]
    )
    for n_threads in (1, 2):
        np.testing.assert_array_equal(column_codes(bins.encode(X, n_threads)), codes)


def test_wrong_calls_are_refused():
    X = np.zeros((3, 2))
    with pytest.raises(ValueError, match="255 bins"):
        quantile_cuts(X, np.arange(3), None, 256, np.zeros(2, dtype=bool), 1)
    with pytest.raises(ValueError, match="no such row"):
        quantile_cuts(X, np.arange(4), None, 9, np.zeros(2, dtype=bool), 1)
    with pytest.raises(ValueError, match="columns"):
        Bins.of(X).encode(np.zeros((3, 3)))
    offsets = np.array([0, 300])
    cuts = np.arange(300.0)
    none = np.zeros(2, dtype=np.int64), np.empty(0, dtype=np.uint8)
    with pytest.raises(ValueError, match="more than 255"):
        encode_bins(
            X[:, :1],
            offsets,
            cuts,
            *none,
            np.array([300], dtype=np.int32),
            np.zeros(1, dtype=bool),
            1,
        )


@pytest.mark.parametrize(("n", "p"), [(0, 3), (1, 1), (5, 40), (3000, 17)])
def test_a_table_of_known_codes(n, p):
    rng = np.random.default_rng(0)
    n_bins = rng.integers(1, 256, p).astype(np.int32)
    codes = np.ascontiguousarray(rng.integers(0, n_bins + 1, (n, p)).T.astype(np.uint8))
    table = table_of_codes(codes, n_bins, np.zeros(p, dtype=bool), 2)
    assert (table.n_rows, table.n_features) == (n, p)
    np.testing.assert_array_equal(column_codes(table), codes)


def test_codes_beyond_the_bins():
    flags = np.zeros(1, dtype=bool)
    with pytest.raises(ValueError, match="a code beyond the bins"):
        table_of_codes(np.array([[0, 4]], dtype=np.uint8), np.array([3], np.int32), flags, 1)
    with pytest.raises(ValueError, match="more than 255 bins"):
        table_of_codes(np.array([[0]], dtype=np.uint8), np.array([256], np.int32), flags, 1)
    with pytest.raises(ValueError, match="a number of bins and a flag"):
        table_of_codes(np.array([[0]], dtype=np.uint8), np.array([2, 2], np.int32), flags, 1)
