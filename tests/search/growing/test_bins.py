import pickle

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array

from margin.native.trees.bins import column_codes
from margin.search import Bins


def test_missing_values_have_a_bin_of_their_own():
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [5.0, np.nan]])
    bins = Bins.of(X)
    np.testing.assert_array_equal(bins.n_bins, [2, 1])
    np.testing.assert_array_equal(bins.codes(X), [[0, 1], [2, 1], [1, 1]])


def test_categories_keep_their_numbers():
    X = np.array([[0.0], [3.0], [3.0], [1.0], [np.nan], [-1.0]])
    bins = Bins.of(X, categorical=np.array([True]))
    np.testing.assert_array_equal(bins.codes(X).ravel(), [0, 2, 2, 1, 3, 3])
    # 2 was never seen, 9 is larger than any.
    np.testing.assert_array_equal(bins.codes(np.array([[2.0], [9.0]])).ravel(), [3, 3])
    assert bins.words.tolist() == [1]


def test_rare_categories_are_missing():
    rng = np.random.default_rng(0)
    frequent = np.repeat(np.arange(500, 600), 20)
    X = np.concatenate([frequent, rng.permutation(100_000)]).astype(float).reshape(-1, 1)
    bins = Bins.of(X, categorical=np.array([True]), max_bins=100)
    assert bins.n_bins.tolist() == [100]
    np.testing.assert_array_equal(
        bins.codes(np.array([[500.0], [599.0], [600.0]])).ravel(), [0, 99, 100]
    )
    assert Bins.of(X, categorical=np.array([True])).n_bins.tolist() == [255]


def test_weights_choose_rows():
    X = np.arange(6.0).reshape(-1, 1)
    weight = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0])
    np.testing.assert_array_equal(Bins.of(X, weight=weight).cuts, [2.0])
    codes = Bins.of(X, weight=weight, categorical=np.array([True])).codes(X)
    np.testing.assert_array_equal(codes.ravel(), [2, 0, 2, 1, 2, 2])


def test_a_sample_is_enough():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20_000, 2))
    bins = Bins.of(X, max_bins=50, sample=5000, rng=rng)
    shares = np.bincount(bins.codes(X)[:, 0]) / 20_000
    np.testing.assert_allclose(shares, 0.02, atol=0.008)


def test_threads_and_pickles_change_nothing():
    X = np.random.default_rng(0).standard_normal((3000, 5))
    one, two = Bins.of(X), pickle.loads(pickle.dumps(Bins.of(X, n_threads=2)))
    np.testing.assert_array_equal(one.cuts, two.cuts)
    np.testing.assert_array_equal(one.codes(X), two.codes(X))


@pytest.mark.parametrize("container", [csr_array, csc_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_tables_have_the_bins_of_dense_ones(container, weighted, monkeypatch):
    monkeypatch.setattr("margin.search.growing._bins._BLOCK", 500)  # several blocks
    rng = np.random.default_rng(0)
    X = np.where(rng.uniform(size=(300, 7)) < 0.8, 0.0, rng.standard_normal((300, 7)))
    X[:, 3] = rng.integers(0, 4, 300)
    X[5, 0] = np.nan
    weight = rng.uniform(0, 1, 300) * (rng.uniform(size=300) > 0.1) if weighted else None
    categorical = np.arange(7) == 3
    dense = Bins.of(X, weight=weight, max_bins=20, categorical=categorical)
    sparse = Bins.of(container(X), weight=weight, max_bins=20, categorical=categorical)
    np.testing.assert_array_equal(sparse.cuts, dense.cuts)
    np.testing.assert_array_equal(sparse.code_bins, dense.code_bins)
    np.testing.assert_array_equal(
        column_codes(sparse.encode(container(X))), column_codes(dense.encode(X))
    )
