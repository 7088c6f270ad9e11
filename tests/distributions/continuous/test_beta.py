"""The beta distribution (distributions.10)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Beta
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Beta(2.0, 3.0), Beta([1.5, 30.0], [1.5, 4.0])]


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, and fits to them."""

    def make(self):
        return [Beta(2.0, 3.0), Beta([0.5, 30.0], [1.5, 4.0])]


def test_against_scipy(agrees, divergence):
    """distributions.10: 1/B(2, 3) = 12, density 16/9 at its mode 1/3."""
    for a, b in ((2.0, 3.0), (0.4, 0.7), (1.0, 1.0), (90.0, 4.0)):
        agrees(Beta(a, b), stats.beta(a, b), [-0.5, 0.001, 0.4, 0.97, 1.5])
    divergence(Beta(2.0, 3.0), Beta(4.0, 1.5), np.linspace(1e-9, 1 - 1e-9, 200_001))
    belief = Beta(2.0, 3.0)
    assert_allclose(belief.mode, 1 / 3)
    assert_allclose(np.exp(belief.log_prob(belief.mode)), 16 / 9)


def test_modes_at_the_ends():
    modes = Beta([1.0, 2.0, 0.5, 1.0, 0.5], [2.0, 1.0, 0.5, 1.0, 2.0]).mode
    assert_allclose(modes, [0.0, 1.0, np.nan, np.nan, 0.0])


def test_refusals():
    with pytest.raises(ValueError, match="Beta: X must be between 0 and 1"):
        Beta.fit([0.0, 0.5])
    with pytest.raises(ValueError, match="Beta: data must be of two values"):
        Beta.fit([0.5, 0.5])
