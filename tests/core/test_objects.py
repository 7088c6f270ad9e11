"""Sets of objects: tables and lists alike."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from margin.core.objects import count, precision, take, unpacked


def test_tables_and_lists_are_sets():
    table = np.arange(6.0).reshape(3, 2)
    rows = np.array([2, 0])
    for X in (table, sparse.csr_array(table), [(0, 1), (2, 3), (4, 5)]):
        assert count(X) == 3
        chosen = take(X, rows)
        dense = chosen.toarray() if sparse.issparse(chosen) else np.array(chosen, dtype=float)
        assert_array_equal(dense, table[rows])


def test_single_precision_stays():
    assert precision(np.zeros(2, dtype=np.float32)) is np.float32
    assert precision(np.zeros(2, dtype=int)) is precision(["a"]) is np.float64


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_full_sparse_tables_are_unpacked(dtype):
    full = np.arange(1, 7, dtype=dtype).reshape(3, 2)
    array = unpacked(sparse.csr_array(full))
    np.testing.assert_array_equal(array, full)
    assert array.dtype == dtype
    mostly_empty = sparse.csr_array(np.eye(5, dtype=dtype))
    assert unpacked(mostly_empty) is mostly_empty
    assert unpacked(full) is full
