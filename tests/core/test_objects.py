"""Sets of objects: tables and lists alike."""

import numpy as np
from numpy.testing import assert_array_equal
from scipy import sparse

from margin.core.objects import count, precision, take


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
