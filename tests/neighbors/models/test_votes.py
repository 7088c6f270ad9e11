"""Weights, votes and means written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.neighbors.models._votes import (
    check_weighting,
    list_means,
    list_weights,
    means,
    pair_votes,
    row_weights,
    shares,
    votes,
)
from margin.neighbors.search._ragged import Ragged

DISTANCE = np.array([[0.5, 2.0], [0.0, 1.0]])
LISTS = Ragged(np.array([0, 2, 2, 4]), np.array([0.5, 2.0, 0.0, 1.0]), np.array([0, 1, 1, 2]))


def test_inverse_distances():
    """A row at distance zero outvotes all others."""
    assert row_weights("uniform", DISTANCE) is None
    assert row_weights(None, DISTANCE) is None
    assert_array_equal(row_weights("distance", DISTANCE), [[2.0, 0.5], [1.0, 0.0]])
    assert_array_equal(row_weights(np.square, DISTANCE), DISTANCE**2)
    assert list_weights("uniform", LISTS) is None
    assert_array_equal(list_weights("distance", LISTS), [2.0, 0.5, 1.0, 0.0])
    squares = list_weights(lambda lists: [d**2 for d in lists], LISTS)
    assert_array_equal(squares, LISTS.distance**2)


def test_votes():
    codes = np.array([[0, 1], [2, 2]])
    assert_array_equal(votes(codes, None, 3), [[1, 1, 0], [0, 0, 2]])
    assert_array_equal(votes(codes, DISTANCE, 3), [[0.5, 2.0, 0], [0, 0, 1.0]])
    table = pair_votes(np.array([0, 2]), np.array([1, 0]), None, (3, 2))
    assert_array_equal(table, [[0, 1], [0, 0], [1, 0]])
    assert_allclose(shares(np.array([[1.0, 3.0], [0.0, 0.0]])), [[0.25, 0.75], [0, 0]])


def test_means():
    targets = np.array([[[1.0], [3.0]], [[5.0], [7.0]]])
    assert_allclose(means(targets, None), [[2.0], [6.0]])
    assert_allclose(means(targets, np.array([[1.0, 3.0], [1.0, 0.0]])), [[2.5], [5.0]])
    values = np.array([[1.0], [3.0], [9.0]])
    assert_allclose(list_means(LISTS, values, None), [[2.0], [np.nan], [6.0]])
    weight = np.array([1.0, 3.0, 1.0, 0.0])
    assert_allclose(list_means(LISTS, values, weight), [[2.5], [np.nan], [3.0]])


def test_bad_weighting():
    check_weighting("Model", np.square)
    with pytest.raises(ValueError, match="Model: weights must be 'uniform'"):
        check_weighting("Model", "other")


def test_means_of_large_targets_with_large_weights():
    found = means(np.array([[[1e300], [3e300]]]), np.array([[1e12, 1e12]]))
    assert_allclose(found, [[2e300]])
