"""Whether order matters (mixture.15)."""

import numpy as np
import pytest
from scipy.special import betaln

from margin.mixture import ChineseRestaurantProcess, exchangeability_gap, set_partitions

BELL = [1, 1, 2, 5, 15, 52, 203]


@pytest.mark.parametrize("n", range(7))
def test_partitions_are_all_and_different(n):
    found = {tuple(z) for z in set_partitions(n)}
    assert len(found) == BELL[n]


def test_restaurant_is_exchangeable():
    """mixture.15: exhaustively for four customers, written as a sequence of choices."""

    def sequential(z):
        value = 0.0
        for i in range(len(z)):
            size = np.sum(z[:i] == z[i])
            value += np.log((size if size else 1.3) / (1.3 + i))
        return value

    for z in set_partitions(4):
        assert exchangeability_gap(sequential, z) < 1e-12
        assert abs(sequential(z) - ChineseRestaurantProcess(1.3).log_prob(z)) < 1e-12


def test_de_finetti():
    """mixture.15: an urn is a mixture of coins, hence exchangeable; a chain is not."""

    def urn(x):
        value = 0.0
        for i in range(len(x)):
            value += np.log((2.0 + np.sum(x[:i] == x[i])) / (4.0 + i))
        return value

    x = np.array([0, 1, 1, 0, 1])
    assert exchangeability_gap(urn, x) < 1e-12
    assert abs(urn(x) - (betaln(2 + 3, 2 + 2) - betaln(2, 2))) < 1e-12

    def chain(x):
        return float(np.sum(np.where(x[1:] == x[:-1], np.log(0.9), np.log(0.1))))

    assert exchangeability_gap(chain, x) > 1.0


def test_refusals():
    with pytest.raises(ValueError, match="values must be 1 to 8 values, got 9"):
        exchangeability_gap(sum, range(9))
    with pytest.raises(ValueError, match="n must be an integer of at least 0"):
        list(set_partitions(-1))
