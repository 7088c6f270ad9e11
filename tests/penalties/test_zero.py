"""No penalty at all."""

import numpy as np
from numpy.testing import assert_array_equal

from margin.penalties import L2, Zero
from margin.testing import PenaltyContract


class TestZeroContract(PenaltyContract):
    def make(self):
        return [Zero()]


def test_is_a_penalty_of_strength_zero():
    w = np.random.default_rng(0).normal(size=(3, 2))
    assert Zero().value(w) == L2(0.0).value(w) == 0.0
    assert_array_equal(Zero().gradient(w), np.zeros((3, 2)))
    assert_array_equal(Zero().curvature(w), np.zeros((3, 2)))


def test_prox_is_a_copy():
    w = np.ones(3)
    moved = Zero().prox(w, 2.0)
    moved += 1
    assert_array_equal(w, np.ones(3))
