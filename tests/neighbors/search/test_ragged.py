"""Lists of different lengths."""

import numpy as np
from numpy.testing import assert_array_equal

from margin.neighbors.search._ragged import Ragged, joined, offsets_of


def lists():
    return Ragged(
        np.array([0, 2, 2, 5]), np.array([0.1, 0.5, 0.0, 0.2, 0.3]), np.array([4, 1, 9, 3, 5])
    )


def test_parts():
    near = lists()
    assert_array_equal(near.counts, [2, 0, 3])
    assert_array_equal(near.queries, [0, 0, 2, 2, 2])
    assert_array_equal(near.by_number().number, [1, 4, 3, 5, 9])
    kept = near.kept(near.distance > 0.15)
    assert_array_equal(kept.offsets, [0, 1, 1, 3])
    assert_array_equal(kept.number, [1, 3, 5])


def test_arrays_of_arrays():
    distance, number = lists().lists()
    assert [len(d) for d in distance] == [2, 0, 3]
    assert_array_equal(number[2], [9, 3, 5])


def test_joined():
    both = joined([lists(), lists()])
    assert_array_equal(both.counts, [2, 0, 3, 2, 0, 3])
    assert_array_equal(both.offsets, offsets_of(both.counts))
