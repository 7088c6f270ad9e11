"""The law of partitions of a Dirichlet process (mixture.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import ChineseRestaurantProcess, set_partitions


def test_partition_probabilities_sum_to_one():
    """mixture.12: over all partitions of six things, and n = 3 as printed."""
    law = ChineseRestaurantProcess(1.7)
    assert_allclose(sum(np.exp(law.log_prob(z)) for z in set_partitions(6)), 1.0)
    one = ChineseRestaurantProcess(1.0)
    probabilities = [np.exp(one.log_prob(z)) for z in set_partitions(3)]
    assert_allclose(probabilities, [1 / 3, 1 / 6, 1 / 6, 1 / 6, 1 / 6])


@pytest.mark.parametrize(
    ("alpha", "n", "expected"),
    [(1, 10, 2.92896825), (1, 100, 5.18737752), (2, 100, 8.39455702), (1, 1000, 7.48547086)],
)
def test_expected_tables(alpha, n, expected):
    """mixture.12: the sum begins with the first customer, who always opens a table."""
    assert_allclose(ChineseRestaurantProcess(alpha).expected_tables(n), expected, rtol=1e-8)


def test_table_probabilities():
    """By enumeration, and with the expectation."""
    law = ChineseRestaurantProcess(0.8)
    counted = np.zeros(6)
    for z in set_partitions(5):
        counted[z.max() + 1] += np.exp(law.log_prob(z))
    assert_allclose(law.table_probabilities(5), counted, atol=1e-14)
    assert_allclose(law.table_probabilities(50) @ np.arange(51), law.expected_tables(50))
    assert_allclose(law.table_probabilities(0), [1.0])


def test_samples_follow_the_law():
    """mixture.12: shares of all partitions of four, within five standard errors."""
    law, n = ChineseRestaurantProcess(1.5), 20_000
    rng = np.random.default_rng(0)
    drawn = np.array([law.sample(4, rng) for _ in range(n)])
    for z in set_partitions(4):
        p = np.exp(law.log_prob(z))
        assert abs((drawn == z).all(axis=1).mean() - p) < 5 * np.sqrt(p * (1 - p) / n)


def test_bad_alpha():
    with pytest.raises(ValueError, match=r"ChineseRestaurantProcess: alpha must be .* got 0"):
        ChineseRestaurantProcess(0)
    with pytest.raises(ValueError, match="labels must be one-dimensional"):
        ChineseRestaurantProcess(1.0).log_prob([[0, 1]])
    assert len(ChineseRestaurantProcess(1.0).sample(0)) == 0
