"""Numbering, counting and scalar products of numbered parts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.native.kernels.counts import add_products, count_rows, number_keys, small_products


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


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize(("n", "m", "longest"), [(1, 1, 40), (63, 65, 40), (200, 70, 900)])
def test_blocks_of_rows_give_the_products_of_dense_tables(n, m, longest, n_threads):
    left, right = (count_rows(*draw(k, 9, k, longest), 9) for k in (n, m))
    A, B = table(left, 9), table(right, 9)
    out = np.full((n, m), np.nan)
    assert small_products(left, right, 9, out, n_threads) == (longest < 900)
    if longest < 900:
        assert_array_equal(out, A @ B.T)
    square = np.full((n, n), np.nan)
    if small_products(left, None, 9, square, n_threads):
        assert_array_equal(square, A @ A.T)
    else:
        assert (A * A).sum(axis=1).max() >= 2**16


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_many_rows_are_shared_by_threads(scale, n_threads):
    indptr, indices, values = count_rows(*draw(1500, 200, 5, 200), 200)
    rows = indptr, indices, scale * values
    A = table(rows, 200)
    out = np.zeros((1500, 1500))
    add_products(rows, None, 200, out, n_threads)
    assert_array_equal(out, A @ A.T)
    if scale == 1.0:
        out = np.full((1500, 1500), np.nan)
        assert small_products(rows, None, 200, out, n_threads)
        assert_array_equal(out, A @ A.T)


def one_column(counts):
    n = len(counts)
    return np.arange(n + 1), np.zeros(n, dtype=np.int32), np.array(counts, dtype=float)


@pytest.mark.parametrize("n", [64, 130])
def test_the_largest_counts_do_not_overflow(n):
    counts = np.where(np.arange(n) % 3, 255.0, 1.0)
    out = np.empty((n, n))
    assert small_products(one_column(counts), None, 1, out, 1)
    assert_array_equal(out, np.outer(counts, counts))
    # Rows of 255 columns held once, against rows that hold each of them up to 16 times.
    width = 255
    columns = np.tile(np.arange(width, dtype=np.int32), n)
    ones = np.arange(0, n * width + 1, width), columns, np.ones(n * width)
    more = *ones[:2], np.repeat(1.0 + np.arange(n) % 16, width)
    assert small_products(more, ones, width, out, 1)
    assert_array_equal(out, np.repeat(width * (1.0 + np.arange(n) % 16), n).reshape(n, n))


@pytest.mark.parametrize("counts", [[0.5, 1.0], [256.0, 1.0], [-1.0, 1.0], [np.nan, 1.0]])
def test_what_is_no_small_count_is_left_to_others(counts):
    out = np.full((2, 2), 7.0)
    assert not small_products(one_column(counts), None, 1, out, 1)
    assert_array_equal(out, 7.0)


def test_rows_with_little_in_common_are_left_to_lists():
    n = 2000
    rows = np.arange(0, 40 * n + 1, 40), np.arange(40 * n, dtype=np.int32), np.ones(40 * n)
    assert not small_products(rows, None, 40 * n, np.empty((n, n)), 1)


def test_what_was_there_is_kept_or_forgotten():
    for scale in (1.0, 0.5):
        indptr, indices, values = count_rows(*draw(20, 5, 4), 5)
        rows = indptr, indices, scale * values
        out = np.full((20, 20), 3.0)
        add_products(rows, None, 5, out, 1)
        fresh = np.full((20, 20), np.nan)
        add_products(rows, None, 5, fresh, 1, fresh=True)
        assert_array_equal(out, fresh + 3.0)


def test_nothing_outside_is_read():
    rows = count_rows(*draw(4, 3, 3), 3)
    for multiply in (add_products, small_products):
        with pytest.raises(ValueError, match="column out of range"):
            multiply(rows, None, 2, np.zeros((4, 4)), 1)
        with pytest.raises(ValueError, match="out does not fit"):
            multiply(rows, None, 3, np.zeros((3, 4)), 1)
    with pytest.raises(ValueError, match="number out of range"):
        count_rows(np.array([3], dtype=np.int32), np.array([0, 1]), 3)
    with pytest.raises(ValueError, match="offsets do not fit"):
        count_rows(np.array([0], dtype=np.int32), np.array([0, 2]), 3)
