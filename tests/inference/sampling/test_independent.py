import numpy as np
import pytest

from margin.distributions import MultivariateNormal, Normal, StudentT
from margin.inference import sample_importance, sample_rejection


def test_importance_gives_the_integral_and_the_moments():
    def log_density(x):
        return np.log(5.0) + Normal(0.5, 0.7).log_prob(x)

    draws = sample_importance(log_density, StudentT(3.0), 40_000, random_state=0)
    assert np.exp(draws.log_evidence) == pytest.approx(5.0, rel=0.02)
    assert draws.mean == pytest.approx(0.5, abs=0.02)
    assert draws.expectation(lambda x: (x - 0.5) ** 2) == pytest.approx(0.49, rel=0.04)
    assert 10_000 < draws.effective_size < 40_000


def test_a_poor_proposal_shows_in_its_effective_size():
    draws = sample_importance(Normal(0.0, 1.0).log_prob, Normal(6.0, 1.0), 2000, random_state=0)
    assert draws.effective_size < 20


def test_importance_of_vectors():
    law = MultivariateNormal(np.array([1.0, 2.0]), np.array([[1.0, 0.5], [0.5, 2.0]]))
    wide = MultivariateNormal(np.zeros(2), 6 * np.eye(2))
    draws = sample_importance(law.log_prob, wide, 50_000, random_state=0)
    assert draws.mean == pytest.approx([1.0, 2.0], abs=0.05)


def test_rejection_draws_the_law_itself():
    from scipy.stats import kstest, truncnorm

    def log_density(x):
        return np.where((x > -1) & (x < 2), -0.5 * x**2, -np.inf)

    bound = 0.5 * np.log(2 * np.pi)
    draws = sample_rejection(log_density, Normal(0.0, 1.0), bound, 5000, random_state=0)
    assert kstest(draws.draws, truncnorm(-1, 2).cdf).pvalue > 0.01
    assert draws.acceptance == pytest.approx(0.8186, abs=0.02)


def test_what_is_refused():
    normal = Normal(0.0, 1.0)
    with pytest.raises(ValueError, match="sample_rejection: log_bound must be above the log ratio"):
        sample_rejection(lambda x: normal.log_prob(x) + 1.0, normal, 0.5)
    with pytest.raises(ValueError, match="log_bound must be tight enough for 1000 of 2000 tries"):
        sample_rejection(normal.log_prob, normal, 20.0, max_tries=2000)
    with pytest.raises(ValueError, match="sample_importance: log_density must be a number"):
        sample_importance(lambda x: x * np.nan, normal)
    with pytest.raises(ValueError, match="n_draws must be an integer of at least 1, got 0"):
        sample_importance(normal.log_prob, normal, 0)
