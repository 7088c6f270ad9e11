"""Orders that depend on the contents of rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.native import _native
from margin.native.rows.row_order import row_keys, shuffled


def table(n=300, p=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[rng.random(size=X.shape) < 0.4] = 0.0
    return X


def test_keys_are_functions_of_the_contents():
    """Equal rows agree wherever they are; dense, sparse, single and double precision agree."""
    X = table()
    keys, squares = row_keys(X)
    assert_allclose(squares, (X**2).sum(axis=1), rtol=1e-13)
    order = np.random.default_rng(1).permutation(len(X))
    assert_array_equal(row_keys(X[order])[0], keys[order])
    for same in (X.astype(np.float32), sparse.csr_array(X), sparse.csr_array(X.astype(np.float32))):
        assert_array_equal(row_keys(same)[0], keys)
    stored_zeros = sparse.csr_array(X)
    stored_zeros.data[:10] = 0.0
    assert_array_equal(row_keys(stored_zeros)[0], row_keys(stored_zeros.toarray())[0])
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert_array_equal(row_keys(wide)[0], keys)
    assert_array_equal(row_keys(-np.zeros((1, 4)))[0], row_keys(np.zeros((1, 4)))[0])


def test_keys_differ_for_different_rows():
    """Also for rows that differ by a sign, a permutation of columns or one bit."""
    X = np.vstack([table(), -table(), table()[:, ::-1], np.eye(5), np.nextafter(
        np.eye(5, dtype=np.float32), np.float32(2)
    )])  # fmt: skip
    distinct = np.unique(X.astype(np.float32), axis=0)
    assert len(np.unique(row_keys(X)[0])) == len(distinct)


def test_keys_look_random():
    """Small integers, the worst case of a weak mixture, spread over all bits."""
    grid = np.stack(np.meshgrid(*[np.arange(32.0)] * 3), axis=-1).reshape(-1, 3)
    keys = row_keys(grid)[0]
    assert len(np.unique(keys)) == len(grid)
    bits = (keys[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.02


def test_threads_do_not_matter():
    X = table(20_000)
    one = row_keys(X, 1)
    for n_threads in (2, 5):
        two = row_keys(X, n_threads)
        assert_array_equal(one[0], two[0])
        assert_array_equal(one[1], two[1])


@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
def test_shuffles_are_permutations_by_seed(n):
    order = np.arange(n)
    made = shuffled(order, 5)
    assert_array_equal(np.sort(made), order)
    assert_array_equal(made, shuffled(order, 5))
    assert_array_equal(order, np.arange(n))
    if n > 7:
        assert (made != shuffled(order, 6)).any()


def test_shuffles_are_uniform():
    """All 24 orders of four rows are about equally frequent over the seeds."""
    made = np.array([shuffled(np.arange(4), seed) for seed in range(12_000)])
    codes = made @ np.array([64, 16, 4, 1])
    _, counts = np.unique(codes, return_counts=True)
    assert len(counts) == 24
    assert np.sum((counts - 500) ** 2 / 500) < 60


def test_refuses_what_does_not_fit():
    X = table()
    with pytest.raises(ValueError, match="different shape"):
        _native.row_keys_dense(X, np.empty(3, dtype=np.uint64), np.empty(300), 1)
    part = sparse.csr_array(X)
    with pytest.raises(ValueError, match="different shape"):
        _native.row_keys_sparse(
            part.indptr, part.indices, part.data, np.empty(3, dtype=np.uint64), np.empty(300)
        )
