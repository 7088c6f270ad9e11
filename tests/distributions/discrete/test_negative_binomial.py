"""The negative binomial distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import NegativeBinomial
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [NegativeBinomial(2.0, 0.8), NegativeBinomial([0.7, 12.0], [1.0, 3.0])]

    def support(self, distribution):
        return np.arange(300.0)


def test_against_scipy(agrees):
    for a, b in ((0.5, 2.0), (3.0, 0.7), (40.0, 5.0)):
        agrees(NegativeBinomial(a, b), stats.nbinom(a, b / (1 + b)), [0.0, 1.0, 5.0, 40.0])
    with pytest.raises(ValueError, match="NegativeBinomial: rate must be above 0"):
        NegativeBinomial(1.0, 0.0)
    assert_allclose(NegativeBinomial(2.0).quantile([0.0, 1.0]), [0.0, np.inf])
