"""The Lomax distribution."""

import numpy as np
import pytest
from scipy import stats

from margin.distributions import Lomax
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Lomax(5.0, 4.0), Lomax([6.0, 30.0], [1.0, 0.1])]


def test_against_scipy(agrees):
    agrees(Lomax(3.5, 2.0), stats.lomax(3.5, scale=2.0), [-1.0, 0.0, 0.5, 9.0])
    assert Lomax(1.0).mean == np.inf
    assert Lomax(2.0).var == np.inf
    with pytest.raises(ValueError, match="Lomax: scale must be above 0"):
        Lomax(1.0, 0.0)
