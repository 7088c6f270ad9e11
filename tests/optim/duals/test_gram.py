"""Symmetric matrices by blocks of rows."""

import numpy as np
from numpy.testing import assert_array_equal

from margin.optim import Gram, GramMatrix

K = np.arange(16.0).reshape(4, 4) + np.arange(16.0).reshape(4, 4).T


def test_blocks_parts_and_diagonal():
    gram = GramMatrix(K)
    rows, columns = np.array([2, 0]), np.array([1, 3])
    assert isinstance(gram, Gram)
    assert (gram.n, gram.dtype) == (4, np.float64)
    assert_array_equal(gram.columns(None)(rows), K[rows])
    assert_array_equal(gram.columns(columns)(rows), K[np.ix_(rows, columns)])
    assert_array_equal(gram.take(rows).matrix, K[np.ix_(rows, rows)])
    assert_array_equal(gram.diagonal(), np.diag(K))
