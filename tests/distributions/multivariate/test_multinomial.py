"""The multinomial distribution (distributions.05)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Binomial, Categorical, Multinomial
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """distributions.05: everything a distribution promises."""

    def make(self):
        return [
            Multinomial(5, [0.2, 0.5, 0.3]),
            Multinomial([3, 8], [[0.2, 0.5], [0.1, 0.1]], rest=[0.3, 0.8]),
        ]

    def support(self, distribution):
        return np.arange(9.0)


def vectors(n, k):
    return np.array([x for x in product(range(n + 1), repeat=k) if sum(x) == n], dtype=float)


def test_against_scipy_and_enumeration():
    """distributions.05: all vectors of counts, their sum, mean and covariance."""
    p, every = np.array([0.2, 0.5, 0.3]), vectors(4, 3)
    ours = Multinomial(4, p)
    mass = np.exp(ours.log_prob(every))
    assert_allclose(mass, stats.multinomial(4, p).pmf(every))
    assert_allclose(mass.sum(), 1.0)
    assert_allclose(mass @ every, ours.mean)
    assert_allclose(np.cov(every.T, aweights=mass, ddof=0), ours.covariance)
    assert_allclose(ours.log_prob([[1, 1, 1], [2, 2.5, 0], [5, 0, -1]]), -np.inf)


def test_gaps_are_summed_out():
    """distributions.05: NaN is the sum over all completions."""
    ours, every = Multinomial(4, [0.2, 0.5, 0.3]), vectors(4, 3)
    for first in range(5):
        total = np.exp(ours.log_prob(every[every[:, 0] == first])).sum()
        assert_allclose(np.exp(ours.log_prob([first, np.nan, np.nan])), total)


def test_special_cases():
    """distributions.05: one trial is categorical, two states are binomial."""
    states = np.eye(3)
    one = Multinomial(1, [0.2, 0.5, 0.3]).log_prob(states)
    assert_allclose(one, Categorical([0.2, 0.5, 0.3]).log_prob([0, 1, 2]))
    k = np.arange(5.0)
    two = Multinomial(4, [0.3, 0.7])
    assert_allclose(two.log_prob(np.column_stack([k, 4 - k])), Binomial(4, 0.3).log_prob(k))
    assert_allclose(two.kl(Multinomial(4, [0.6, 0.4])), Binomial(4, 0.3).kl(Binomial(4, 0.6)))


def test_fit_by_members_and_batches():
    """distributions.23, distributions.37."""
    X = Multinomial(6, [0.2, 0.5, 0.3]).sample(50, 0)
    R = np.random.default_rng(1).dirichlet(np.ones(2), size=50)
    stacked = Multinomial.statistics(X[:20], R[:20]) + Multinomial.statistics(X[20:], R[20:])
    fit = Multinomial.fit(stacked, n=6)
    for j in range(2):
        share = R[:, j] @ X
        assert_allclose(fit[j].probabilities, share / share.sum())
    assert fit.log_prob_rows(X).shape == (50, 2)
    ours = Multinomial(6, [0.2, 0.5, 0.3])
    filled = ours.expected_statistics([[2.0, np.nan, np.nan]]).total[:3]
    assert_allclose(filled, [2.0, 4 * 5 / 8, 4 * 3 / 8])


def test_refusals():
    with pytest.raises(ValueError, match="Multinomial: n must be a count"):
        Multinomial(1.5, [0.5, 0.5])
    with pytest.raises(ValueError, match="Multinomial: X must be rows of counts"):
        Multinomial.fit([[0.5, 1.0]])
    with pytest.raises(ValueError, match="Multinomial: values must be possible counts"):
        Multinomial(3, [0.5, 0.5]).condition([0], [4.0])


@pytest.mark.parametrize("n", [0, 1, 4, 7])
@pytest.mark.parametrize("p", [[0.2, 0.5, 0.3], [0.25, 0.25, 0.5], [1, 0, 0], [0.8, 0.1, 0.1]])
def test_mode_and_entropy_by_enumeration(n, p):
    """distributions.15, distributions.20: over all vectors of counts, with and without a rest."""
    every, ours = vectors(n, 3), Multinomial(n, p)
    log_p = ours.log_prob(every)
    mass = np.exp(log_p)
    assert_allclose(ours.log_prob(ours.mode), log_p.max())
    assert_allclose(ours.entropy, stats.entropy(mass), atol=1e-12)
    part = ours.marginal([0, 1])
    assert_allclose(part.entropy, ours.entropy, atol=1e-12)  # what is left is known
    assert_allclose(part.mode, ours.mode[:2])


def test_mode_and_entropy_of_many():
    many = Multinomial([3, 1000], [[0.2, 0.8], [0.5, 0.5]])
    assert_allclose(many.mode, [[0, 3], [500, 500]])
    assert_allclose(many.entropy, Binomial([3, 1000], [0.2, 0.5]).entropy, rtol=1e-9)
