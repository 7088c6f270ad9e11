"""Checks of initial parameters."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture.finite._gaussian_checks import (
    definite,
    given_parameters,
    numbers,
    spread_shape,
)


def checked(weights=None, means=None, precisions=None, kind="full"):
    return given_parameters("GaussianMixture", weights, means, precisions, 2, 3, kind)


def test_good_ones_come_back_in_double_precision():
    given = checked([0.5, 0.5], np.ones((2, 3), np.float32), np.stack([np.eye(3)] * 2))
    assert given.complete
    assert given.means.dtype == np.float64
    assert_allclose(checked(precisions=[1, 2], kind="spherical").precisions, [1, 2])
    assert spread_shape("tied", 2, 3) == (3, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"weights": [1.0]}, r"weights_init must be of shape \(2,\)"),
        ({"weights": [2.0, -1.0]}, "weights_init must be between 0 and 1"),
        ({"weights": [0.5, 0.4]}, "weights_init must be of sum 1"),
        ({"means": np.ones((3, 3))}, "means_init must be of shape"),
        ({"means": np.full((2, 3), np.inf)}, "means_init must be finite"),
        ({"means": "abc"}, "means_init must be numbers"),
        ({"precisions": -np.stack([np.eye(3)] * 2)}, "precisions_init must be symmetric, positive"),
        ({"precisions": [1.0, -1.0], "kind": "spherical"}, "precisions_init must be positive"),
    ],
)
def test_bad_ones_are_named(given, message):
    with pytest.raises(ValueError, match=f"GaussianMixture: {message}"):
        checked(**given)


def test_blocks_of_the_checks():
    with pytest.raises(ValueError, match="X: a must be numbers"):
        numbers("X", "a", object())
    matrix = np.array([[1.0, 0.5], [0.4, 1.0]])
    with pytest.raises(ValueError, match="symmetric"):
        definite("X", "a", "full precision", matrix, "full")
