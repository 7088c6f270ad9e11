"""The von Mises distribution."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import VonMises
from margin.testing import StatisticsContract


class TestStatistics(StatisticsContract):
    """distributions.37: sums of cosines and sines."""

    def make(self):
        return [VonMises(1.0, 2.0), VonMises([0.0, -2.0], [0.9, 40.0])]


def test_against_scipy(divergence):
    for kappa in (0.01, 1.0, 30.0):
        ours, theirs = VonMises(0.5, kappa), stats.vonmises(kappa, loc=0.5)
        x = np.array([-2.0, 0.0, 0.5, 1.0, 3.0])
        assert_allclose(ours.log_prob(x), theirs.logpdf(x), rtol=1e-9)
        assert_allclose(ours.cdf(x), theirs.cdf(x), rtol=1e-9)
        assert_allclose(ours.cdf(ours.quantile([0.1, 0.5, 0.9])), [0.1, 0.5, 0.9])
        assert_allclose(ours.entropy, theirs.entropy(), rtol=1e-6)
        grid = np.linspace(0.5 - np.pi, 0.5 + np.pi, 20_001)
        density = np.exp(ours.log_prob(grid))
        assert_allclose(np.trapezoid(density, grid), 1.0, rtol=1e-9)
        assert_allclose(ours.var, np.trapezoid(density * (grid - 0.5) ** 2, grid), rtol=1e-6)
    divergence(VonMises(0.0, 2.0), VonMises(1.0, 0.5), np.linspace(-np.pi, np.pi, 20_001))


def test_turns_do_not_matter():
    ours = VonMises(0.5, 3.0)
    assert_allclose(ours.log_prob(1.0 + 4 * np.pi), ours.log_prob(1.0))
    assert_allclose(
        VonMises.fit([0.1, 0.4, 2 * np.pi + 0.2]).loc, VonMises.fit([0.1, 0.4, 0.2]).loc
    )
    flat = VonMises(0.0, 0.0)
    assert_allclose(flat.cdf(np.pi / 2), 0.75)
    assert_allclose(flat.entropy, np.log(2 * np.pi))
    assert flat.circular_var == 1.0


def test_draws():
    draws = VonMises(1.0, 4.0).sample(20_000, 0)
    assert_allclose(
        np.mean(np.exp(1j * (draws - 1.0))).real, VonMises(1.0, 4.0).resultant, atol=0.01
    )
    assert_allclose(draws.var(), VonMises(1.0, 4.0).var, rtol=0.05)


def test_refusals():
    with pytest.raises(ValueError, match="VonMises: concentration must be at least 0"):
        VonMises(0.0, -1.0)
    with pytest.raises(ValueError, match="VonMises: data must be of two angles"):
        VonMises.fit([1.0, 1.0])
