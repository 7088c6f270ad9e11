"""Starts are usable whatever the data."""

import numpy as np
import pytest

from margin.sequence.state_space._expectation import SequenceData
from margin.sequence.state_space._start import starting_parameters


@pytest.mark.parametrize("n", [1, 3, 7])
def test_stable_and_definite(n):
    rng = np.random.default_rng(n)
    Y = np.cumsum(rng.normal(size=(60, 2)), axis=0)
    Y[5:9, 0] = np.nan
    data = SequenceData.of(Y, np.zeros((60, 0)), np.array([0, 20, 60]), 1)
    for source in (None, rng):
        start = starting_parameters(data, n, {}, source)
        assert np.abs(np.linalg.eigvals(start.A)).max() < 1.0
        assert np.linalg.eigvalsh(start.Q).min() > 0
        assert np.linalg.eigvalsh(start.R).min() > 0


def test_known_parts_are_kept():
    data = SequenceData.of(np.ones((3, 1)), np.zeros((3, 0)), np.array([0, 3]), 1)
    start = starting_parameters(data, 1, {"A": np.array([[0.25]])})
    assert start.A[0, 0] == 0.25
