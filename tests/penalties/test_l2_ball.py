"""Constraint on the squared norm (penalties.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.penalties import L2Ball
from margin.testing import PenaltyContract

RNG = np.random.default_rng(0)


class TestL2BallContract(PenaltyContract):
    """Points of the set, where a constraint is finite."""

    def make(self):
        return [L2Ball(1.0)]

    def draw(self, rng, shape):
        w = super().draw(rng, shape)
        return w / max(1.0, 1.1 * np.linalg.norm(w))


def test_projection_is_the_nearest_point():
    """penalties.07: against random points of the ball; idempotent; inside nothing moves."""
    for _ in range(20):
        w = 3 * RNG.normal(size=4)
        p = L2Ball(2.0).prox(w, 0.1)
        assert L2Ball(2.0).value(p) == 0
        others = RNG.normal(size=(500, 4))
        others *= np.sqrt(2.0) * RNG.random((500, 1)) / np.linalg.norm(others, axis=1)[:, None]
        assert np.linalg.norm(w - p) <= np.linalg.norm(w - others, axis=1).min() + 1e-12
        assert_allclose(L2Ball(2.0).prox(p, 5.0), p, rtol=1e-12)
    assert_allclose(L2Ball(2.0).prox(np.zeros(3), 1.0), np.zeros(3))


def test_least_subgradient_is_the_best_rate_of_descent_inside_the_set():
    """penalties.07: on the edge the outward part of the descent is cut off."""
    w = np.array([0.6, 0.8])
    angle = np.linspace(0, 2 * np.pi, 20001)
    directions = np.column_stack([np.cos(angle), np.sin(angle)])
    allowed = directions[directions @ w <= 1e-12]
    for slope in RNG.normal(size=(20, 2)):
        wanted = max(0.0, float((-allowed @ slope).max()))
        found = np.linalg.norm(L2Ball(1.0).least_subgradient(w, slope))
        assert_allclose(found, wanted, atol=1e-3)
    assert_allclose(L2Ball(4.0).least_subgradient(w, np.ones(2)), np.ones(2))


def test_outside_is_infinite():
    assert L2Ball(1.0).value(np.array([1.0, 1.0])) == np.inf
    with pytest.raises(ValueError, match="L2Ball: budget must be a number above 0"):
        L2Ball(0.0)
