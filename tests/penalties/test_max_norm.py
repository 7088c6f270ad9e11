"""Max-norm projection (penalties.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.penalties import L2Ball, MaxNorm
from margin.testing import PenaltyContract

RNG = np.random.default_rng(0)


class TestMaxNormContract(PenaltyContract):
    """Points of the set, where a constraint is finite."""

    def make(self):
        return [MaxNorm(1.0)]

    def draw(self, rng, shape):
        w = super().draw(rng, shape)
        return w / np.maximum(1.0, 1.1 * np.linalg.norm(w, axis=0))


def test_every_column_ends_within_the_limit_in_its_own_direction():
    """penalties.04: B min(C, |B|) / |B| for the weights into each unit; idempotent."""
    W = 4 * RNG.normal(size=(5, 7))
    W[:, 0] = 0.0
    P = MaxNorm(3.0).prox(W, 0.1)
    norms = np.linalg.norm(W, axis=0)
    for h in range(7):
        factor = 1.0 if norms[h] == 0 else min(3.0, norms[h]) / norms[h]
        assert_allclose(P[:, h], W[:, h] * factor)
    assert np.linalg.norm(P, axis=0).max() <= 3.0 + 1e-12
    assert_allclose(MaxNorm(3.0).prox(P, 2.0), P, rtol=1e-12)


def test_a_vector_is_one_unit():
    """penalties.04: as the ball of the squared limit."""
    w, slope = 3 * RNG.normal(size=4), RNG.normal(size=4)
    assert_allclose(MaxNorm(2.0).prox(w, 1.0), L2Ball(4.0).prox(w, 1.0))
    edge = 2.0 * w / np.linalg.norm(w)
    for g in (slope, -slope):
        found = MaxNorm(2.0).least_subgradient(edge, g)
        assert_allclose(found, L2Ball(4.0).least_subgradient(edge, g))


def test_least_subgradient_by_columns():
    edge = np.array([[1.0, 0.1], [0.0, 0.0]])
    slope = np.array([[-2.0, -2.0], [1.0, 1.0]])
    found = MaxNorm(1.0).least_subgradient(edge, slope)
    assert_allclose(found, [[0.0, -2.0], [1.0, 1.0]])


def test_keeps_tanh_units_responsive():
    """penalties.04: unit inputs of norm one give |t| <= C, so tanh never rounds to one."""
    W = MaxNorm(3.0).prox(50 * RNG.normal(size=(4, 10)), 1.0)
    x = RNG.normal(size=(100, 4))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    assert (1 - np.tanh(x @ W) ** 2).min() >= 1 - np.tanh(3.0) ** 2 - 1e-12


def test_bad_limit_is_refused():
    assert MaxNorm(1.0).value(np.array([2.0])) == np.inf
    with pytest.raises(ValueError, match="MaxNorm: limit must be a number above 0"):
        MaxNorm(0)
