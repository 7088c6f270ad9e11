"""Extrapolation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import Squarem


def identity(x):
    return x


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.99])
def test_one_rate_in_all_directions_is_solved_exactly(rate):
    """The closed form: a geometric path ends at its limit."""
    limit, start = np.array([1.0, -2.0, 3.0]), np.array([0.0, 5.0, 3.5])
    path = [limit + rate**k * (start - limit) for k in range(3)]
    assert_allclose(Squarem(identity, identity)(*path), limit, atol=1e-10)


def test_no_proposal_where_the_path_says_nothing():
    extrapolate = Squarem(identity, identity)
    line = [np.array([float(k)]) for k in range(3)]
    assert extrapolate(*line) is None
    assert extrapolate(*[np.ones(2)] * 3) is None
    # Alternating steps of growing length: the stride is shorter than the plain step.
    assert extrapolate(np.zeros(1), np.ones(1), -np.ones(1)) is None


def test_the_way_back_may_refuse():
    path = [np.array([0.5]), np.array([0.8]), np.array([0.95])]
    inside = Squarem(identity, lambda x: x if (x < 1).all() else None)
    assert inside(*path) is None
    assert Squarem(identity, identity)(*path) > 1
