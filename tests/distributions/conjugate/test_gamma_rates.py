"""Gamma beliefs about rates (distributions.31)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Exponential, GammaExponential, GammaPoisson, Poisson

CASES = [
    (GammaPoisson(2.0, 1.5), Poisson, np.array([3.0, 0.0, 4.0, 2.0])),
    (GammaExponential(2.0, 1.5), Exponential, np.array([0.3, 2.0, 0.7])),
]


@pytest.mark.parametrize(("prior", "family", "x"), CASES)
def test_against_a_grid(prior, family, x):
    """distributions.27: evidence, mean and prediction by quadrature over the rate."""
    rate = np.linspace(1e-6, 40, 400_001)
    joint = np.exp(prior.distribution.log_prob(rate))
    for value in x:
        joint = joint * np.exp(family(rate).log_prob(value))
    evidence = np.trapezoid(joint, rate)
    assert_allclose(np.exp(prior.log_evidence(x)), evidence, rtol=1e-7)
    after = prior.posterior(x)
    assert_allclose(np.trapezoid(joint * rate, rate) / evidence, after.mean, rtol=1e-7)
    next_one = np.trapezoid(joint * np.exp(family(rate).log_prob(1.0)), rate) / evidence
    assert_allclose(np.exp(after.predictive().log_prob(1.0)), next_one, rtol=1e-7)
    assert_allclose(family.fit(x, prior).rate, rate[np.argmax(joint)], rtol=1e-3)


@pytest.mark.parametrize(("prior", "family", "x"), CASES)
def test_bound_is_tight_and_members_are_alone(prior, family, x):
    after = prior.posterior(x)
    bound = after.expected_log_prob(x).sum() - after.kl(prior)
    assert_allclose(bound, prior.log_evidence(x))
    R = np.random.default_rng(0).dirichlet(np.ones(2), size=len(x))
    stacked = prior.posterior(family.statistics(x, R))
    bound = (R * stacked.expected_log_prob(x)).sum(axis=0) - stacked.kl(prior)
    assert_allclose(bound, prior.log_evidence(family.statistics(x, R)))
    assert_allclose(stacked[0].rate, prior.posterior(family.statistics(x, R[:, 0])).rate)
    with pytest.raises(ValueError, match="rate must be above 0"):
        type(prior)(1.0, 0.0)
