"""Counts of states as a monoid (distributions.37)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Categorical, StateCounts


def test_by_loops():
    """distributions.37: members, columns and gaps."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(60, 3)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    R = rng.random((60, 2))
    counts = StateCounts.of(X, R)
    for m in range(2):
        for j in range(3):
            for state in range(4):
                assert_allclose(counts.counts[m, j, state], R[X[:, j] == state, m].sum())
    assert_allclose(counts.weight[1, 2], R[~np.isnan(X[:, 2]), 1].sum())


def test_refusals():
    with pytest.raises(ValueError, match="StateCounts: X must be codes"):
        StateCounts.of([0.5])
    with pytest.raises(ValueError, match="StateCounts: shape must be"):
        StateCounts.of([1]) + StateCounts.of([[1, 0]])


@pytest.mark.parametrize("code", [1e13, 1e300])
def test_codes_that_are_no_codes_are_refused_before_any_work(code):
    with pytest.raises(MemoryError, match=r"^StateCounts: X must be codes .* np.unique"):
        Categorical.fit([0.0, code])
