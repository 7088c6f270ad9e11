"""Which rows are the same."""

import numpy as np
from scipy.sparse import csr_array

from margin.cluster.centroids._equal_rows import equal_rows


def test_equal_rows_of_a_table_dense_or_sparse():
    rows = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    np.testing.assert_array_equal(equal_rows(rows), [0, 1, 0, 2])
    np.testing.assert_array_equal(equal_rows(csr_array(rows)), [0, 1, 0, 2])
