"""The γ-exponential kernel (kernels.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, GammaExponential, Matern, check_psd
from margin.testing import KernelContract


class TestGammaExponential(KernelContract):
    stationary = True

    def make(self):
        return [GammaExponential(), GammaExponential(2.0, 0.4), GammaExponential((1, 2, 3), 1.7)]


def test_values_and_limits():
    """kernels.08: (r / rho)^gamma, not (r / gamma)^gamma; gamma 1 and 2 are known kernels."""
    assert_allclose(GammaExponential(2.0, 1.5)([[0.0]], [[8.0]]), np.exp(-8.0), rtol=1e-13)
    X = np.random.default_rng(0).normal(size=(12, 3))
    assert_allclose(GammaExponential(1.3, 1.0)(X), Matern(1.3, nu=0.5)(X), rtol=1e-13)
    assert_allclose(GammaExponential(1.3, 2.0)(X), RBF(1.3 / np.sqrt(2.0))(X), rtol=1e-12)


def test_the_whole_range_of_the_power_is_positive_definite():
    X = np.random.default_rng(1).normal(size=(40, 2))
    for gamma in (0.01, 0.5, 1.0, 1.9, 2.0):
        assert check_psd(GammaExponential(1.0, gamma), X)


def test_beyond_two_it_would_not_be():
    r = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0))) * 0.3
    assert not check_psd(np.exp(-(r**3)))


@pytest.mark.parametrize("gamma", [0.0, -1.0, 2.1, np.nan, (1.0, 1.0)])
def test_the_power_is_refused(gamma):
    with pytest.raises(ValueError, match="GammaExponential: gamma must be"):
        GammaExponential(1.0, gamma)


def test_the_power_stays_within_bounds():
    kernel = GammaExponential(1.0, 2.0)
    assert kernel.with_theta(kernel.bounds[:, 1]).gamma == 2.0
