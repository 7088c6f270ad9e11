"""Tables of counts as words."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csr_array

from margin.core import memory
from margin.mixture.topics._corpus import corpus, counts


def test_words_come_back_as_counts():
    table = np.random.default_rng(0).poisson(0.7, size=(6, 5))
    table[2] = 0
    first, word = corpus("Test", counts("Test", table))
    for d in range(6):
        assert_array_equal(np.bincount(word[first[d] : first[d + 1]], minlength=5), table[d])


def test_repeated_and_zero_entries():
    """Of a list of entries; what was given stays as it was."""
    given = csr_array(coo_array(([1.0, 2.0, 0.0], ([0, 0, 0], [1, 1, 2])), shape=(1, 3)))
    before = given.data.copy()
    found = counts("Test", given)
    assert found.data.tolist() == [3.0]
    assert found.indices.tolist() == [1]
    assert_array_equal(given.data, before)


def test_refusals():
    with pytest.raises(ValueError, match=r"Negative values in data passed to Test\.fit"):
        counts("Test", np.array([[-1.0]]))
    with pytest.raises(ValueError, match=r"Test: X must be whole counts.*got 0\.5"):
        corpus("Test", counts("Test", np.array([[0.5]])))
    with pytest.raises(ValueError, match="at most 2147483647 words"):
        corpus("Test", counts("Test", np.array([[1e12]])))


def test_words_beyond_memory_are_refused_first(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 10_000)
    table = counts("Test", np.array([[300.0, 0.0]]))
    assert len(corpus("Test", table).word) == 300
    with pytest.raises(MemoryError, match=r"Test: X must be counts of as many words as .*got 300"):
        corpus("Test", table, n_bytes=80)
