"""Bags of parts and their scalar products."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.kernels.parts import _bags
from margin.kernels.parts._bags import Bags, products
from margin.native.kernels import counts


def draw(n, n_columns, seed):
    """Column 0 is in nearly every bag, the others are rare."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 9, n)
    ids = np.where(rng.random(lengths.sum()) < 0.4, 0, rng.integers(0, n_columns, lengths.sum()))
    return ids.astype(np.int32), np.concatenate([[0], np.cumsum(lengths)])


def dense(bags):
    table = np.zeros((len(bags), bags.n_columns))
    for i in range(len(bags)):
        part = slice(bags.indptr[i], bags.indptr[i + 1])
        table[i, bags.indices[part]] = bags.values[part]
    return table


@pytest.mark.parametrize("share", [0.0, 0.25, 2.0])
@pytest.mark.parametrize("blocks", [True, False])
def test_blocks_and_dense_and_sparse_columns_give_the_same(share, blocks, monkeypatch):
    if not blocks:
        monkeypatch.setattr(counts, "small_products", lambda *_: False)
    monkeypatch.setattr(_bags, "DENSE_SHARE", share)
    monkeypatch.setattr(_bags, "DENSE_WORTH", 0.0)
    left, right = Bags.of(*draw(40, 30, 0), 30), Bags.of(*draw(25, 30, 1), 30)
    A, B = dense(left), dense(right)
    assert_array_equal(products(left, right, 1), A @ B.T)
    assert_array_equal(products(left, None, 2), A @ A.T)
    assert_array_equal(left.squares(), (A * A).sum(axis=1))
    assert_array_equal(dense(left.rows(10, 20)), A[10:20])


def test_weights_and_large_counts_keep_double_precision(monkeypatch):
    monkeypatch.setattr(_bags, "DENSE_WORTH", 0.0)
    bags = Bags.of(*draw(30, 8, 2), 8)
    weight = np.linspace(0.1, 0.9, 8)
    A = dense(bags)
    assert_allclose(products(bags.weighted(weight), None, 1), (A * weight) @ A.T, rtol=1e-14)
    large = Bags(bags.indptr, bags.indices, bags.values * 10_001.0, 8)
    assert_array_equal(products(large, None, 1), A @ A.T * 10_001.0**2)


def test_nothing_in_common():
    nothing = Bags.of(np.empty(0, dtype=np.int32), np.zeros(3, dtype=np.int64), 0)
    assert_array_equal(products(nothing, None, 1), np.zeros((2, 2)))
