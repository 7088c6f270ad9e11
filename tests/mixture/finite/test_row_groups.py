"""Rows in memory and block by block."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.core import Blocks
from margin.mixture.finite._row_groups import Stream, Table, row_groups, sample_rows

RNG = np.random.default_rng(0)
X = np.where(RNG.random((30, 3)) < 0.3, np.nan, RNG.normal(size=(30, 3)))
WEIGHT = RNG.random(30)


def plain(X, weight):
    return X, weight


def test_groups_hold_every_row_once():
    groups = row_groups(X, WEIGHT, split=True)
    assert sum(len(g.X) for g in groups) == 30
    assert not any(np.isnan(g.X).any() for g in groups)
    assert np.isclose(sum(g.total for g in groups), WEIGHT.sum())
    (whole,) = row_groups(X, None, split=False)
    assert whole.total == 30


@pytest.mark.parametrize("most", [7, 30, 100])
def test_the_sample_is_the_same_from_memory_and_from_blocks(most):
    table = Table.of(X, WEIGHT, split=True)
    stream = Stream(
        "X", Blocks(lambda: iter([(X[:4], WEIGHT[:4]), (X[4:], WEIGHT[4:])])), plain, True
    )
    for a, b in zip(sample_rows("X", table, most), sample_rows("X", stream, most), strict=True):
        assert_array_equal(a, b)
        assert len(a) == min(most, 30)
    assert len(list(table.passes())) <= len(list(stream.passes()))


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="blocks must be at least one row"):
        sample_rows("X", Stream("X", Blocks([]), plain, True), 5)


def test_blocks_of_too_many_parts():
    parts = (X, WEIGHT, WEIGHT)
    with pytest.raises(ValueError, match="X: blocks must be of rows, or of rows and weights, got"):
        list(Stream("X", Blocks([parts]), plain, True).blocks())
