"""Kept rows of a matrix: always the right ones, never too many."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.optim.duals._row_cache import RowCache, WholeMatrix

MATRIX = np.random.default_rng(0).normal(size=(50, 50))


def cache_of(capacity, log=None, memory=None):
    def evaluate(rows):
        if log is not None:
            log.extend(rows.tolist())
        return MATRIX[rows]

    return RowCache(evaluate, 50, 50, capacity=capacity, dtype=np.float64, memory=memory)


@pytest.mark.parametrize("capacity", [8, 13, 50, 400])
def test_every_request_is_answered_rightly(capacity):
    rng, cache = np.random.default_rng(1), cache_of(capacity)
    for _ in range(60):
        rows = rng.choice(50, size=rng.integers(0, 9), replace=False)
        assert_array_equal(cache.rows[cache.fetch(rows)], MATRIX[rows])
    assert len(cache.rows) == min(capacity, 50)


def test_the_longest_unused_makes_room():
    log = []
    cache = cache_of(3, log)
    for rows in ([0], [1], [2], [0], [3]):
        cache.fetch(np.array(rows))
    assert log == [0, 1, 2, 3]
    cache.fetch(np.array([0, 2, 3]))
    assert log == [0, 1, 2, 3]
    cache.fetch(np.array([1]))
    assert log == [0, 1, 2, 3, 1]
    assert cache.n_computed == 5


def test_restricted_to_columns_it_keeps_its_rows():
    log = []
    cache = cache_of(10, log)
    cache.fetch(np.array([4, 40, 7, 30, 11]))
    chosen = np.array([1, 7, 11, 30, 31])
    cache.restrict(chosen, lambda rows: MATRIX[np.ix_(rows, chosen)])
    assert cache.capacity == 50
    assert_array_equal(cache.rows[cache.fetch(chosen)], MATRIX[np.ix_(chosen, chosen)])
    assert cache.n_computed == 7
    assert len(log) == 5


def test_memory_is_used_again():
    first = cache_of(10)
    assert cache_of(10, memory=first.memory).memory is first.memory
    assert cache_of(20, memory=first.memory).memory is not first.memory


def test_too_large_a_request_is_refused():
    with pytest.raises(ValueError, match="rows must be at most 2, got 3"):
        cache_of(2).fetch(np.arange(3))


def test_whole_matrix_has_the_same_face():
    whole = WholeMatrix(MATRIX)
    assert_array_equal(whole.rows[whole.fetch(np.array([3, 1]))], MATRIX[[3, 1]])
