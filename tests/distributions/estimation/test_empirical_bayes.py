"""Maximum likelihood of the second kind (distributions.30)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.distributions import (
    BetaBernoulli,
    Binomial,
    GammaPoisson,
    NormalMean,
    empirical_bayes,
    empirical_bayes_steps,
)


def test_normal_means_in_closed_form():
    """distributions.30: equal groups have mean and excess variance in closed form; EM agrees."""
    groups = [[1.0, 2.0], [5.0, 6.0], [9.0, 9.0], [4.0, 2.0]]
    centres = np.array([np.mean(g) for g in groups])
    prior = NormalMean(0.0, 1.0, noise=1.0)
    fit = empirical_bayes(prior, groups)
    assert_allclose(fit.prior.mean, centres.mean(), rtol=1e-4)
    assert_allclose(fit.prior.std**2, centres.var() - 1 / 2, rtol=1e-4)
    steps = empirical_bayes_steps(prior, groups, 400)
    assert_allclose(steps.prior.std, fit.prior.std, rtol=1e-4)
    heights = [empirical_bayes_steps(prior, groups, k).log_evidence for k in range(12)]
    assert np.diff(heights).min() >= -1e-10
    assert_allclose(steps.log_evidence, fit.log_evidence, atol=1e-6)


def test_many_groups_find_the_prior_again():
    """distributions.30: binomial rates drawn from a beta, counts from gamma rates."""
    rng = np.random.default_rng(0)
    rates = rng.beta(4.0, 8.0, size=200)
    groups = [Binomial.statistics([k], n=40) for k in rng.binomial(40, rates)]
    fit = empirical_bayes(BetaBernoulli(1.0, 1.0), groups).prior
    assert_allclose(fit.mean, 1 / 3, atol=0.03)
    assert_allclose(fit.strength, 12.0, rtol=0.35)
    counts = [rng.poisson(r, size=8) for r in rng.gamma(3.0, 2.0, size=120)]
    spread = empirical_bayes(GammaPoisson(1.0, 1.0), counts).prior
    assert_allclose(spread.mean, 6.0, rtol=0.15)


def test_no_small_step_is_better():
    groups = [Binomial.statistics([k], n=10) for k in (1, 2, 4, 6, 7, 9)]
    fit = empirical_bayes(BetaBernoulli(1.0, 1.0), groups)
    for a, b in ((1.01, 1.0), (0.99, 1.0), (1.0, 1.01), (1.0, 0.99)):
        near = BetaBernoulli(fit.prior.a * a, fit.prior.b * b)
        assert sum(float(near.log_evidence(g)) for g in groups) < fit.log_evidence


def test_refusals():
    same = [Binomial.statistics([5], n=10)] * 4
    with pytest.raises(FitError, match="groups must differ by more than chance"):
        empirical_bayes(BetaBernoulli(1.0, 1.0), same)
    with pytest.raises(ValueError, match="groups must be at least two, got 1"):
        empirical_bayes(BetaBernoulli(1.0, 1.0), same[:1])
