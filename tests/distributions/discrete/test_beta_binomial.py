"""The beta-binomial distribution."""

import numpy as np
import pytest
from scipy import stats

from margin.distributions import BetaBinomial
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [BetaBinomial(4, 2.0, 3.0), BetaBinomial([1, 12], [0.5, 5.0], 1.0)]

    def support(self, distribution):
        return np.arange(20.0)


def test_against_scipy(agrees):
    for n, a, b in ((4, 0.5, 2.0), (30, 3.0, 0.7)):
        agrees(BetaBinomial(n, a, b), stats.betabinom(n, a, b), [0.0, 1.0, 4.0, n])
    with pytest.raises(ValueError, match="BetaBinomial: n must be a count"):
        BetaBinomial(-1, 1.0, 1.0)
