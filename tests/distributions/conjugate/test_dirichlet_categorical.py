"""Dirichlet beliefs about states (distributions.31, distributions.36)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    Categorical,
    DirichletCategorical,
    DirichletMultinomial,
    Multinomial,
)

STATES = np.array([0.0, 0, 1, 2, 2, 2])


def test_mean_is_not_the_mode():
    """distributions.36: (N + a)/sum is the mean; the mode has a - 1."""
    belief = DirichletCategorical([2.0, 2.0, 2.0]).posterior(STATES)
    assert_allclose(belief.mean, np.array([4, 3, 5]) / 12)
    assert_allclose(belief.mode, np.array([3, 2, 4]) / 9)
    fit = Categorical.fit(STATES, DirichletCategorical([2.0] * 3))
    assert_allclose(fit.probabilities, belief.mode)
    assert_allclose(
        Categorical.fit(STATES, DirichletCategorical([1.0] * 3)).probabilities,
        Categorical.fit(STATES).probabilities,
    )
    assert_allclose(DirichletCategorical([0.5, 3.0]).mode, [0.0, 1.0])
    assert_allclose(DirichletCategorical([0.5, 0.5]).mode, [0.5, 0.5])
    assert belief.strength == 12.0


def test_evidence_is_a_product_of_predictions():
    """distributions.36: sequential equals batch."""
    prior = DirichletCategorical([0.5, 2.0, 1.0])
    belief, total = prior, 0.0
    for state in STATES:
        total += float(belief.predictive().log_prob(state))
        belief = belief.posterior([state])
    assert_allclose(total, prior.log_evidence(STATES))
    counts = np.array([[2.0, 1.0, 3.0]])
    predicted = DirichletMultinomial(6, [0.5, 2.0, 1.0]).log_prob(counts[0])
    assert_allclose(prior.log_evidence(Multinomial.statistics(counts)), predicted)
    assert_allclose(prior.predictive(6).log_prob(counts[0]), predicted)


def test_bound_is_tight_for_every_member():
    R = np.random.default_rng(0).dirichlet(np.ones(2), size=6)
    prior = DirichletCategorical([0.5, 2.0, 1.0])
    stacked = prior.posterior(Categorical.statistics(STATES, R))
    bound = (R * stacked.expected_log_prob(STATES)).sum(axis=0) - stacked.kl(prior)
    assert_allclose(bound, prior.log_evidence(Categorical.statistics(STATES, R)))
    assert stacked[1].n_states == 3


def test_refusals():
    with pytest.raises(ValueError, match="DirichletCategorical: stats must be of 2 states, got 3"):
        DirichletCategorical([1.0, 1.0]).posterior(STATES)
    with pytest.raises(ValueError, match="states below 2 or NaN"):
        DirichletCategorical([1.0, 1.0]).expected_log_prob([2.0])
