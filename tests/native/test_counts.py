"""Numbering, counting and scalar products of numbered parts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.native.counts import add_products, count_rows, number_keys


@pytest.mark.parametrize("top", [3, 1000, 2**63])
def test_keys_are_numbered_by_first_appearance(top):
    keys = np.random.default_rng(0).integers(0, top, 5000, dtype=np.uint64)
    keys = np.concatenate([keys, keys[::-1]])
    ids, size = number_keys(keys)
    seen = {}
    assert_array_equal(ids, [seen.setdefault(int(key), len(seen)) for key in keys])
    assert size == len(seen)


def test_no_keys():
    ids, size = number_keys(np.empty(0, dtype=np.uint64))
    assert len(ids) == size == 0


def table(rows, n_columns):
    indptr, indices, values = rows
    made = np.zeros((len(indptr) - 1, n_columns))
    for i in range(len(made)):
        made[i, indices[indptr[i] : indptr[i + 1]]] += values[indptr[i] : indptr[i + 1]]
    return made


def draw(n, n_columns, seed, longest=12):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, longest, n)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    ids = rng.integers(-1, n_columns, int(offsets[-1]), dtype=np.int32)
    return ids, offsets


def test_rows_are_counted():
    ids, offsets = draw(40, 7, 0)
    made = table(count_rows(ids, offsets, 7), 7)
    for i, row in enumerate(made):
        part = ids[offsets[i] : offsets[i + 1]]
        assert_array_equal(row, np.bincount(part[part >= 0], minlength=7))


@pytest.mark.parametrize("n_threads", [1, 3])
def test_products_are_those_of_dense_tables(n_threads):
    left, right = count_rows(*draw(70, 9, 1), 9), count_rows(*draw(30, 9, 2), 9)
    A, B = table(left, 9), table(right, 9)
    out = np.zeros((70, 30))
    add_products(left, right, 9, out, n_threads)
    assert_array_equal(out, A @ B.T)
    out = np.ones((70, 70))
    add_products(left, None, 9, out, n_threads)
    assert_array_equal(out, A @ A.T + 1.0)


def test_nothing_outside_is_read():
    rows = count_rows(*draw(4, 3, 3), 3)
    with pytest.raises(ValueError, match="column out of range"):
        add_products(rows, None, 2, np.zeros((4, 4)), 1)
    with pytest.raises(ValueError, match="out does not fit"):
        add_products(rows, None, 3, np.zeros((3, 4)), 1)
    with pytest.raises(ValueError, match="number out of range"):
        count_rows(np.array([3], dtype=np.int32), np.array([0, 1]), 3)
    with pytest.raises(ValueError, match="offsets do not fit"):
        count_rows(np.array([0], dtype=np.int32), np.array([0, 2]), 3)
