"""Expectations under normal-inverse-Wishart beliefs, for variational inference."""

import numpy as np
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import MultivariateNormal, NormalInverseWishart


def draws(belief, n, seed):
    rng = np.random.default_rng(seed)
    covariance = stats.invwishart(belief.df, belief.scale).rvs(n, random_state=rng)
    lower = np.linalg.cholesky(covariance / belief.strength)
    return belief.mean + np.einsum("nij,nj->ni", lower, rng.normal(size=(n, 2))), covariance


def test_expected_log_density_by_simulation():
    """distributions.27: E log p over draws of mean and covariance."""
    belief = NormalInverseWishart([1.0, -1.0], 3.0, [[2.0, 0.5], [0.5, 1.0]], 9.0)
    means, covariances = draws(belief, 20_000, 0)
    X = np.array([[0.0, 0.0], [2.0, -3.0]])
    each = np.array(
        [MultivariateNormal(means, covariances).log_prob(x) for x in X],
    )
    error = each.std(axis=1) / np.sqrt(each.shape[1])
    assert np.all(np.abs(each.mean(axis=1) - belief.expected_log_prob(X)) < 4 * error)


def test_gaps_are_integrated_out_of_the_exponential():
    belief = NormalInverseWishart([1.0, -1.0], 3.0, [[2.0, 0.5], [0.5, 1.0]], 9.0)
    grid = np.linspace(-30, 30, 20_001)
    whole = belief.expected_log_prob(np.column_stack([np.full_like(grid, 0.4), grid]))
    integral = np.log(np.trapezoid(np.exp(whole), grid))
    assert_allclose(belief.expected_log_prob([[0.4, np.nan]]), [integral], rtol=1e-9)


def test_members_at_once():
    """Posteriors of k members are those of each, and so are their expectations and evidence."""
    rng = np.random.default_rng(0)
    X, R = rng.normal(size=(50, 2)), rng.dirichlet(np.ones(3), size=50)
    prior = NormalInverseWishart(np.zeros(2), 1.0, np.eye(2), 4.0)
    stacked_stats = MultivariateNormal.statistics(X, R)
    stacked = prior.posterior(stacked_stats)
    assert repr(stacked) == "NormalInverseWishart(d=2, k=3)"
    for j in range(3):
        alone = prior.posterior(stacked_stats[j])
        assert_allclose(stacked[j].scale, alone.scale)
        assert_allclose(stacked.expected_log_prob(X)[:, j], alone.expected_log_prob(X))
        assert_allclose(stacked.kl(prior)[j], alone.kl(prior))
        assert_allclose(prior.log_evidence(stacked_stats)[j], prior.log_evidence(stacked_stats[j]))


def test_bound_is_tight_at_the_posterior():
    """distributions.27: log evidence = E log p(data) - KL(posterior, prior), exactly."""
    X = np.random.default_rng(0).normal([1.0, 2.0], size=(20, 2))
    prior = NormalInverseWishart(np.zeros(2), 0.5, np.eye(2), 3.5)
    after = prior.posterior(MultivariateNormal.statistics(X))
    bound = after.expected_log_prob(X).sum() - after.kl(prior)
    assert_allclose(bound, prior.log_evidence(MultivariateNormal.statistics(X)), rtol=1e-10)
    assert_allclose(after.kl(after), 0.0, atol=1e-10)
