"""The Dirichlet distribution (distributions.11)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import Beta, Dirichlet
from margin.testing import DistributionContract, StatisticsContract


class TestContract(DistributionContract):
    """distributions.11: everything a distribution promises."""

    def make(self):
        return [
            Dirichlet([2.0, 3.0, 4.0]),
            Dirichlet([[2.0, 0.7], [3.0, 4.0]], rest=1.5),
            Dirichlet([2.0, 3.0], rest=1.0, mass=0.4),
        ]


class TestStatistics(StatisticsContract):
    """distributions.37: sums of logarithms."""

    def make(self):
        return [Dirichlet([2.0, 3.0, 4.0]), Dirichlet([0.4, 6.0])]


def test_worked_numbers():
    """distributions.11: (2,2,2) is 40/9 at the centre; (20,2,2) is 71.96 at its mode."""
    assert_allclose(np.exp(Dirichlet([2.0] * 3).log_prob([1 / 3] * 3)), 4.4444444, rtol=1e-7)
    sharp = Dirichlet([20.0, 2.0, 2.0])
    assert_allclose(sharp.mode, np.array([19.0, 1.0, 1.0]) / 21)
    assert_allclose(np.exp(sharp.log_prob(sharp.mode)), 71.96362568, rtol=1e-9)


def test_against_scipy():
    alpha = np.array([0.5, 2.0, 7.0])
    ours, theirs = Dirichlet(alpha), stats.dirichlet(alpha)
    x = ours.sample(6, 0)
    assert_allclose(ours.log_prob(x), [theirs.logpdf(r) for r in x])
    assert_allclose(ours.mean, theirs.mean())
    assert_allclose(ours.var, theirs.var())
    assert_allclose(ours.entropy, theirs.entropy())
    assert_allclose(ours.log_prob([[0.5, 0.6, 0.2], [-0.1, 0.6, 0.5]]), -np.inf)


def test_two_parts_are_a_beta():
    """distributions.10, distributions.11: also for entropies, divergences and fits."""
    x = np.linspace(0.1, 0.9, 5)
    both = np.column_stack([x, 1 - x])
    assert_allclose(Dirichlet([2.0, 3.0]).log_prob(both), Beta(2.0, 3.0).log_prob(x))
    assert_allclose(Dirichlet([2.0, 3.0]).entropy, Beta(2.0, 3.0).entropy)
    apart = Beta(2.0, 3.0).kl(Beta(1.0, 5.0))
    assert_allclose(Dirichlet([2.0, 3.0]).kl(Dirichlet([1.0, 5.0])), apart)
    fit, line = Dirichlet.fit(both), Beta.fit(x)
    assert_allclose(fit.concentration, [line.a, line.b])
    part = Dirichlet([2.0], rest=3.0, mass=0.5)
    assert_allclose(part.log_prob(x[:, None] / 2), Beta(2.0, 3.0).log_prob(x) + np.log(2.0))
    assert_allclose(part.entropy, Beta(2.0, 3.0).entropy + np.log(0.5))


def test_expected_statistics_by_simulation():
    """Rows with gaps: expectations of logarithms given the observed parts, by drawing them."""
    belief = Dirichlet([2.0, 3.0, 4.0])
    row = np.array([[0.3, np.nan, np.nan]])
    rest = belief.condition([0], [0.3]).sample(100_000, 0)
    wanted = [np.log(0.3), *np.log(rest).mean(axis=0)]
    assert_allclose(belief.expected_statistics(row).total, wanted, atol=0.01)
    rows, R = belief.sample(20, 2), np.random.default_rng(0).dirichlet(np.ones(2), size=20)
    rows[::3, 1:] = np.nan
    pair = Dirichlet([[2.0, 3.0, 4.0], [1.0, 1.0, 1.0]])
    stacked = pair.expected_statistics(rows, R)
    for j in range(2):
        assert_allclose(stacked[j].total, pair[j].expected_statistics(rows, R[:, j]).total)
    with pytest.raises(ValueError, match=r"weight must be of shape \(20, 2\)"):
        pair.expected_statistics(rows)
    whole = belief.sample(5, 1)
    assert_allclose(belief.expected_statistics(whole).total, Dirichlet.statistics(whole).total)


def test_tiny_concentrations_do_not_underflow():
    draws = Dirichlet([1e-4, 1e-4]).sample(200, 0)
    assert np.isfinite(draws).all()
    assert_allclose(draws.sum(axis=1), 1.0)
    assert np.isnan(Dirichlet([0.5, 2.0]).mode).all()


def test_refusals():
    with pytest.raises(ValueError, match="Dirichlet: concentration must be above 0"):
        Dirichlet([1.0, 0.0])
    with pytest.raises(ValueError, match="Dirichlet: values must be at least 0 and below the mass"):
        Dirichlet([1.0, 1.0, 1.0]).condition([0], [1.5])
    with pytest.raises(ValueError, match="Dirichlet: X must be rows above 0 of sum 1"):
        Dirichlet.fit([[0.5, 0.6]])
    with pytest.raises(ValueError, match="Dirichlet: data must be of two different rows"):
        Dirichlet.fit([[0.5, 0.5], [0.5, 0.5]])
