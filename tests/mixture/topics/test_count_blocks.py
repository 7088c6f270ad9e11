"""Blocks of counts are checked as they are read, every time."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from margin.core import Blocks
from margin.mixture import LatentDirichletAllocation
from margin.mixture.topics._count_blocks import CountBlocks

TABLE = np.array([[2, 0, 1], [0, 0, 0], [1, 3, 0]])


def blocks_of(*tables):
    model = LatentDirichletAllocation()
    return CountBlocks(model, Blocks.of(model, list(tables)))


def test_read_twice():
    blocks = blocks_of(TABLE[:1], csr_array(TABLE[1:]))
    for _ in range(2):
        tables = [table.toarray() for table in blocks]
        assert_array_equal(np.concatenate(tables), TABLE)
    assert blocks.owner.n_features_in_ == 3


def test_refusals():
    with pytest.raises(ValueError, match="Negative values"):
        list(blocks_of(TABLE, -TABLE))
    with pytest.raises(ValueError, match="features"):
        list(blocks_of(TABLE, TABLE[:, :2]))
    with pytest.raises(ValueError, match="blocks must be of tables of counts"):
        list(blocks_of((TABLE, TABLE)))
