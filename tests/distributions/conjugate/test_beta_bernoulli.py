"""Beta beliefs about a probability (distributions.31, distributions.35)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import Bernoulli, BetaBernoulli, BetaBinomial, Binomial

TOSSES = np.array([1.0, 1, 0, 0, 0, 1, 1])


def test_worked_example():
    """distributions.35: HHTTTHH has ML 4/7, and mean 5/9 from a flat prior."""
    belief = BetaBernoulli(1.0, 1.0).posterior(TOSSES)
    assert_allclose(Bernoulli.fit(TOSSES).probability, 4 / 7)
    assert_allclose(Bernoulli.fit(TOSSES, BetaBernoulli(1.0, 1.0)).probability, 4 / 7)
    assert_allclose(belief.mean, 5 / 9)
    assert_allclose(belief.strength, 9.0)
    assert_allclose(belief.predictive().probability, 5 / 9)


def test_against_a_grid():
    """distributions.27: posterior, evidence and prediction by quadrature."""
    prior, theta = BetaBernoulli(2.0, 3.5), np.linspace(1e-9, 1 - 1e-9, 200_001)
    joint = np.exp(prior.distribution.log_prob(theta)) * theta**4 * (1 - theta) ** 3
    evidence = np.trapezoid(joint, theta)
    assert_allclose(np.exp(prior.log_evidence(TOSSES)), evidence, rtol=1e-8)
    after = prior.posterior(TOSSES)
    assert_allclose(np.trapezoid(joint * theta, theta) / evidence, after.mean, rtol=1e-8)
    assert_allclose(
        np.trapezoid(joint * np.log(theta), theta) / evidence,
        after.expected_log_prob([1.0])[0],
        rtol=1e-6,
    )
    two = np.trapezoid(joint * 2 * theta * (1 - theta), theta) / evidence
    assert_allclose(np.exp(after.predictive(2).log_prob(1)), two, rtol=1e-8)


def test_evidence_is_a_product_of_predictions():
    """distributions.27: sequential equals batch."""
    belief, total = BetaBernoulli(0.5, 2.0), 0.0
    for toss in TOSSES:
        total += float(belief.predictive().log_prob(toss))
        belief = belief.posterior([toss])
    assert_allclose(total, BetaBernoulli(0.5, 2.0).log_evidence(TOSSES))
    assert_allclose(belief.a, BetaBernoulli(0.5, 2.0).posterior(TOSSES).a)


def test_binomial_counts_and_the_bound():
    """distributions.31: counts have the evidence of the predictive; the bound is tight."""
    prior = BetaBernoulli(2.0, 3.0)
    stats = Binomial.statistics([3.0], n=5)
    assert_allclose(prior.log_evidence(stats), BetaBinomial(5, 2.0, 3.0).log_prob(3))
    assert_allclose(Binomial.fit(stats, prior, n=5).probability, 4 / 8)
    after = prior.posterior(TOSSES)
    bound = after.expected_log_prob(TOSSES).sum() - after.kl(prior)
    assert_allclose(bound, prior.log_evidence(TOSSES))


def test_members_and_modes():
    R = np.random.default_rng(0).dirichlet(np.ones(3), size=7)
    stacked = BetaBernoulli(1.0, 1.0).posterior(Bernoulli.statistics(TOSSES, R))
    table = stacked.expected_log_prob(TOSSES)
    for j in range(3):
        alone = BetaBernoulli(1.0, 1.0).posterior(Bernoulli.statistics(TOSSES, R[:, j]))
        assert_allclose(table[:, j], alone.expected_log_prob(TOSSES))
        assert_allclose(stacked[j].a, alone.a)
    assert_allclose(BetaBernoulli([1.0, 0.5, 2.0], [1.0, 0.5, 1.0]).mode, [0.5, 0.5, 1.0])
