"""Distances that are given."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import EfficiencyWarning

from margin.neighbors.search._given import Given

D = np.array([[0.5, 0.1, 3.0], [1.0, 1.0, 0.2]])


def test_dense():
    distance, number = Given().nearest(D, 2, 1)
    assert_array_equal(number, [[1, 0], [2, 0]])
    assert_allclose(distance, [[0.1, 0.5], [0.2, 1.0]])
    assert_array_equal(Given().within(D, np.array([0.5, 1.0]), 1).number, [1, 0, 2, 0, 1])


def test_only_what_is_stored_counts():
    """A stored zero is a neighbour at distance zero."""
    graph = sparse.csr_matrix(
        (np.array([0.0, 0.4, 0.2, 0.7]), np.array([2, 0, 1, 2]), np.array([0, 2, 4])), shape=(2, 3)
    )
    distance, number = Given().nearest(graph, 2, 1)
    assert_array_equal(number, [[2, 0], [1, 2]])
    assert_allclose(distance, [[0.0, 0.4], [0.2, 0.7]])
    assert_array_equal(Given().within(graph, np.array([0.1, 0.5]), 1).counts, [1, 1])
    with pytest.raises(ValueError, match="only 2 neighbors"):
        Given().nearest(graph, 3, 1)


def test_rows_out_of_order_are_sorted_with_a_warning():
    graph = sparse.csr_matrix(D)
    with pytest.warns(EfficiencyWarning, match="not sorted"):
        assert_array_equal(Given().nearest(graph, 1, 1)[1], [[1], [2]])
