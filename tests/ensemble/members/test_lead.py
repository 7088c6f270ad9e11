"""How far the right class is ahead."""

import numpy as np
from numpy.testing import assert_allclose

from margin.ensemble.members._lead import lead


def test_by_hand_and_without_writing_on_the_shares():
    shares = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6]])
    before = shares.copy()
    assert_allclose(lead(shares, [1, 2]), [-0.3, 0.4])
    assert_allclose(shares, before)
