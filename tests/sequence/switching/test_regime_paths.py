"""Futures of regimes: enumerated and drawn."""

import numpy as np
import pytest

from margin.sequence.switching._regime_paths import regime_paths

MOVE = np.array([[0.9, 0.1], [0.3, 0.7]])
NOW = np.array([0.2, 0.8])


@pytest.mark.parametrize("h", [1, 4, 20])
def test_shares_follow_the_chain(h):
    found = regime_paths(NOW, MOVE, h, np.random.default_rng(0))
    assert found.weights.sum() == pytest.approx(1.0)
    last = found.weights @ (found.paths[:, -1] == 1)
    true = (NOW @ np.linalg.matrix_power(MOVE, h))[1]
    assert last == pytest.approx(true, abs=1e-12 if h < 9 else 0.08)
    assert found.paths.shape[1] == h


def test_impossible_paths_are_left_out():
    found = regime_paths(np.array([1.0, 0.0]), np.eye(2), 3, np.random.default_rng(0))
    np.testing.assert_array_equal(found.paths, [[0, 0, 0]])
