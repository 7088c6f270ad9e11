"""Realised components of a finite mixture (mixture.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import ChineseRestaurantProcess, expected_clusters, sample_clusters


def test_expected_clusters():
    """mixture.08: against the product written out, the simulator, and the limit."""
    k, n, alpha = 4, 6, 1.5
    i = np.arange(n)
    truth = k * (1 - np.prod((alpha - alpha / k + i) / (alpha + i)))
    assert_allclose(expected_clusters(n, k, alpha), truth)
    rng = np.random.default_rng(0)
    drawn = [len(set(sample_clusters(n, k, alpha, rng))) for _ in range(10_000)]
    assert abs(np.mean(drawn) - truth) < 5 * np.std(drawn) / 100
    limit = ChineseRestaurantProcess(alpha).expected_tables(n)
    assert_allclose(expected_clusters(n, 10**8, alpha), limit, rtol=1e-6)
    assert expected_clusters(3, 1, 1.0) == 1.0
    assert expected_clusters(0, 3, 1.0) == 0.0


def test_refusals():
    with pytest.raises(ValueError, match="n_components must be at least 1, got 0"):
        expected_clusters(3, 0, 1.0)
    with pytest.raises(ValueError, match="alpha must be a number above 0"):
        sample_clusters(3, 2, 0.0)
