"""The binomial distribution (distributions.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Binomial
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """Everything a distribution promises."""

    def make(self):
        return [Binomial(4, 0.3), Binomial([1, 12], [0.5, 0.9]), Binomial(0, 0.2)]

    def support(self, distribution):
        return np.arange(20.0)


def test_against_scipy(agrees, divergence):
    """distributions.04: the support includes n."""
    for n, p in ((4, 0.5), (30, 0.1), (1000, 0.999)):
        agrees(Binomial(n, p), stats.binom(n, p), [0.0, 1.0, 2.0, n, n + 1])
    divergence(Binomial(6, 0.2), Binomial(6, 0.7), np.arange(7.0))
    assert_allclose(np.exp(Binomial(4, 0.5).log_prob(4)), 1 / 16)
    with pytest.raises(ValueError, match="Binomial: n must be the same for both"):
        Binomial(3, 0.5).kl(Binomial(4, 0.5))


def test_fit_with_trials_that_differ():
    """distributions.23, distributions.37: successes over trials, by members and batches."""
    counts, trials = np.array([1.0, 3.0, np.nan, 2.0]), np.array([4, 5, 6, 2])
    whole = Binomial.statistics(counts, n=trials)
    assert_allclose(Binomial.fit(whole, n=3).probability, 6 / 11)
    assert_allclose(Binomial.fit([1.0, 3.0], n=4).probability, 0.5)
    parts = Binomial.statistics(counts[:2], n=trials[:2]) + Binomial.statistics(
        counts[2:], n=trials[2:]
    )
    assert_allclose(parts.total, whole.total)
    shares = np.array([[1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0]])
    members = Binomial.fit(Binomial.statistics(counts, shares, n=trials), n=5)
    assert_allclose(members.probability, [2.5 / 6.5, 3.5 / 4.5])
    assert members.log_prob_rows(counts).shape == (4, 2)


def test_refusals():
    with pytest.raises(ValueError, match="Binomial: n must be a count"):
        Binomial(2.5, 0.5)
    with pytest.raises(ValueError, match="Binomial: X must be a count of at most n or NaN"):
        Binomial.fit([5.0], n=4)
    with pytest.raises(ValueError, match="Binomial: data must be of a trial"):
        Binomial.fit([0.0], n=0)


def test_more_trials_than_machine_integers():
    dist, levels = Binomial(1e12, [1e-9, 0.3, 0.5]), np.array([[1e-10], [0.01], [0.5], [0.9]])
    count = dist.quantile(levels.ravel())
    assert (dist.cdf(count) >= levels).all()
    assert (dist.cdf(count - 1.0) < levels).all()
