"""Urns (mixture.13, mixture.14)."""

import numpy as np
import pytest
from scipy.stats import beta, kstest

from margin.mixture import ChineseRestaurantProcess, hoppe_urn, polya_urn


def test_polya_limit_is_beta():
    """mixture.13: the share of the first colour tends to Beta(a, b)."""
    rng = np.random.default_rng(0)
    shares = [(polya_urn([2.0, 3.0], 400, rng) == 0).mean() for _ in range(800)]
    assert kstest(shares, beta(2, 3).cdf).pvalue > 0.01


def test_polya_first_draws():
    """mixture.13: p(0, 0) = a(a + 1) / (n(n + 1))."""
    rng = np.random.default_rng(1)
    pairs = np.array([polya_urn([1.0, 2.0], 2, rng) for _ in range(20_000)])
    p = 1 * 2 / (3 * 4)
    assert abs((pairs == 0).all(axis=1).mean() - p) < 5 * np.sqrt(p * (1 - p) / 20_000)


def test_hoppe_colours():
    """mixture.14: black brings a new colour, so colours are numbered without gaps, and their
    number has the law of the tables."""
    rng, n = np.random.default_rng(2), 10_000
    draws = np.array([hoppe_urn(1.0, 10, rng) for _ in range(n)])
    assert (np.diff(np.maximum.accumulate(draws, axis=1), axis=1) <= 1).all()
    law = ChineseRestaurantProcess(1.0).table_probabilities(10)
    counted = np.bincount(draws.max(axis=1) + 1, minlength=11) / n
    assert np.abs(counted - law).max() < 5 * np.sqrt(0.25 / n)


def test_refusals():
    with pytest.raises(ValueError, match="polya_urn: balls must be"):
        polya_urn([0.0, 0.0], 3)
    with pytest.raises(ValueError, match="alpha"):
        hoppe_urn(-1.0, 3)
