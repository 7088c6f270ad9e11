import numpy as np
from numpy.testing import assert_allclose

from margin.causal.methods._partners import alike, partners


def test_rows_at_one_place_are_partners_together():
    found = partners(np.zeros((3, 1)), np.array([1.0, 2.0, 6.0]), np.ones((1, 1)), 1)
    assert found.mean == 3
    assert_allclose(found.shares(np.array([1.0])), 1 / 3)
    mean, noise = alike(np.zeros((3, 1)), np.array([0.0, 3.0, 3.0]))
    assert_allclose(mean, [3, 1.5, 1.5])
    assert_allclose(noise, [6, 1.5, 1.5])
