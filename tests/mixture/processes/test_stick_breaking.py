"""Weights broken off a stick (mixture.09, mixture.11)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import StickBreaking, dirichlet_by_sticks
from margin.mixture.processes._stick_breaking import broken


def test_mean_weights_and_rest():
    """mixture.11: the expectation, and what a truncation leaves."""
    sticks = StickBreaking(2.0)
    draws = np.array([sticks.sample(5, seed) for seed in range(20_000)])
    assert_allclose(draws.mean(axis=0), sticks.mean(5), atol=0.005)
    assert_allclose(sticks.mean(7).sum() + sticks.expected_rest(7), 1.0)
    assert_allclose(1 - draws.sum(axis=1).mean(), sticks.expected_rest(5), atol=0.005)


def test_dirichlet_by_sticks_has_the_moments_of_a_dirichlet():
    """mixture.09: mean a/A and covariance, with the sum of later parameters in the Beta."""
    a = np.array([0.5, 2.0, 3.5])
    total = a.sum()
    draws = dirichlet_by_sticks(a, 100_000, rng=0)
    assert_allclose(draws.sum(axis=1), 1.0)
    assert_allclose(draws.mean(axis=0), a / total, atol=0.004)
    covariance = (np.diag(a / total) - np.outer(a, a) / total**2) / (total + 1)
    assert_allclose(np.cov(draws.T), covariance, atol=0.002)
    assert_allclose(dirichlet_by_sticks([3.0], 2), 1.0)


def test_broken_and_refusals():
    assert_allclose(broken([[1.0, 0.3], [0.25, 1.0]]), [[1.0, 0.0], [0.25, 0.75]])
    with pytest.raises(ValueError, match="concentration must be a vector of numbers above 0"):
        dirichlet_by_sticks([1.0, -1.0])
    with pytest.raises(ValueError, match="StickBreaking: alpha"):
        StickBreaking(-1.0)
