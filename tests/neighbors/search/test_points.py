"""Points that can be searched."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.kernels import Spectrum
from margin.neighbors.search._points import SearchSettings, points_of


def points(X, algorithm="auto", metric="euclidean"):
    return points_of("Model", X, SearchSettings(algorithm, metric, {}, 30, 1))


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_a_point_is_not_its_own_neighbour(algorithm):
    """Also among many equal points."""
    X = np.vstack([np.zeros((7, 2)), [[1.0, 1.0], [2.0, 2.0]]])
    distance, number = points(X, algorithm).nearest(None, 3, 1)
    assert (number != np.arange(9)[:, None]).all()
    assert_array_equal(distance[:7], 0.0)
    assert_array_equal(number[8], [7, 0, 1])
    near = points(X, algorithm).within(None, np.full(9, 0.5), 1)
    assert_array_equal(near.counts, [6] * 7 + [0, 0])


def test_kernels_of_strings():
    words = ["abab", "baba", "zzzz", "ababa"]
    near = points(words, metric=Spectrum(2))
    assert near.count == 4
    assert near.nearest(["ababab"], 1, 1)[1][0, 0] == 3


def test_given_distances():
    D = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 3.0], [1.0, 3.0, 0.0]])
    given = points(D, metric="precomputed")
    assert given.choice.reason == "distances are given"
    assert_array_equal(given.nearest(None, 1, 1)[1].ravel(), [2, 0, 0])
