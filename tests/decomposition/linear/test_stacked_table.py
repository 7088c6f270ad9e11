"""Tables of several blocks against the same table in memory."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.decomposition._blocks import RowBlocks
from margin.decomposition.linear._centred_table import centred_table
from margin.decomposition.linear._stacked_table import StackedTable, column_moments
from margin.distributions import ColumnMoments

RNG = np.random.default_rng(0)
X, WEIGHT = RNG.normal(size=(50, 6)) * (RNG.random((50, 6)) < 0.5), RNG.uniform(0, 2, 50)
PARTS = (slice(0, 1), slice(1, 20), slice(20, 50))


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_products_are_those_of_the_whole(make, weighted):
    weight = WEIGHT if weighted else None
    blocks = RowBlocks([(make(X[p]), weight[p] if weighted else None) for p in PARTS])
    stacked = StackedTable(blocks, X.shape)
    whole = centred_table(X, weight, centre=False)
    right, left = RNG.normal(size=(6, 2)), RNG.normal(size=(50, 2))
    assert_allclose(stacked.product(right), whole.product(right))
    assert_allclose(stacked.transposed_product(left), whole.transposed_product(left))
    assert stacked.total() == pytest.approx(whole.total())
    assert_allclose(stacked.mean, whole.mean)
    parts = sum(column_moments(rows, held) for rows, held in blocks)
    assert_allclose(parts.scatter, ColumnMoments.of(X, weight).scatter)


def test_moments_of_sparse_rows_without_weight():
    assert_allclose(column_moments(csr_array(X[:3]), np.zeros(3)).weight, 0.0)
