import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import detailed_balance_violation, sample_metropolis


def test_random_walk_on_a_correlated_normal_law():
    truth = np.array([[1.0, 0.9], [0.9, 1.0]])
    precision = np.linalg.inv(truth)
    chains = sample_metropolis(
        lambda x: -0.5 * float(x @ precision @ x), np.zeros(2), n_draws=4000, random_state=0
    )
    assert_allclose(chains.covariance, truth, atol=0.15)
    assert 0.1 < chains.statistics["acceptance"].mean() < 0.5


def test_an_asymmetric_proposal_needs_its_ratio():
    """Steps of a log-normal factor, right only with the correction x'/x (inference.23)."""

    def log_density(x):
        return -float(x[0]) if x[0] > 0 else -np.inf

    def propose(x, rng):
        there = x * np.exp(rng.normal())
        return there, float(np.log(there[0] / x[0]))

    chains = sample_metropolis(
        log_density, np.ones(1), propose=propose, n_draws=10_000, jitter=0.0, random_state=0
    )
    assert chains.mean[0] == pytest.approx(1.0, abs=0.06)
    assert chains.var[0] == pytest.approx(1.0, abs=0.2)
    wrong = sample_metropolis(
        log_density, np.ones(1), propose=lambda x, rng: (propose(x, rng)[0], 0.0),
        n_draws=10_000, jitter=0.0, random_state=0,
    )  # fmt: skip
    assert wrong.mean[0] < 0.7


def test_detailed_balance_of_the_rule_itself():
    """The rule on three states with an asymmetric proposal, its matrix written out."""
    law = np.array([0.2, 0.3, 0.5])
    proposal = np.array([[0.1, 0.6, 0.3], [0.4, 0.2, 0.4], [0.5, 0.25, 0.25]])
    ratio = (law * proposal.T) / (law[:, None] * proposal)
    transition = proposal * np.minimum(1.0, ratio)
    np.fill_diagonal(transition, 0.0)
    transition += np.diag(1 - transition.sum(axis=1))
    assert detailed_balance_violation(transition, law) < 1e-16
    assert detailed_balance_violation(proposal, law) > 0.01


def test_a_density_that_is_not_a_number_is_never_entered():
    chains = sample_metropolis(
        lambda x: -0.5 * float(x @ x) if x[0] < 1 else np.nan, np.zeros(1), random_state=0
    )
    assert chains.draws.max() < 1


def test_what_is_refused():
    with pytest.raises(ValueError, match="sample_metropolis: scale must be positive, got 0"):
        sample_metropolis(lambda x: 0.0, np.zeros(1), scale=0)
