"""How normal vectors are learnt."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal, NormalInverseGamma
from margin.testing import StatisticsContract


class TestStatistics(StatisticsContract):
    """distributions.37: statistics that add up, for one member and for many."""

    def make(self):
        return [MultivariateNormal([0.0, 5.0], [[1.0, 0.5], [0.5, 2.0]])]


@pytest.mark.parametrize("kind", ["full", "tied"])
def test_steps_of_a_mixture_with_gaps_never_lose_likelihood(kind):
    """distributions.37: expected statistics of two members climb the observed likelihood."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 1.0, size=(60, 3)) for c in (-2.0, 2.0)])
    X[rng.random(X.shape) < 0.3] = np.nan
    weights, members = (
        np.array([0.5, 0.5]),
        MultivariateNormal([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 4 * np.eye(3)),
    )
    heights = []
    for _ in range(25):
        joint = members.log_prob_rows(X) + np.log(weights)
        total = np.logaddexp.reduce(joint, axis=1)
        heights.append(total.sum())
        shares = np.exp(joint - total[:, None])
        weights = shares.mean(axis=0)
        stats = members.expected_statistics(X, shares)
        members = MultivariateNormal.fit(stats, covariance_type=kind)
    assert np.diff(heights).min() > -1e-9
    assert_allclose(np.sort(members.mean[:, 0]), [-2.0, 2.0], atol=0.6)


def test_diagonal_gaps_need_no_completion():
    """NaN left out of the columns is the maximum of the observed likelihood."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    X[::3, 0] = np.nan
    fit = MultivariateNormal.fit(X, covariance_type="diag")
    best = fit.log_prob_rows(X).sum()
    for bump in (1e-3, -1e-3):
        moved = MultivariateNormal(fit.mean + bump, variance=fit.var)
        wider = MultivariateNormal(fit.mean, variance=fit.var * (1 + bump))
        assert moved.log_prob_rows(X).sum() < best
        assert wider.log_prob_rows(X).sum() < best
    assert_allclose(fit.expected_statistics(X).mean, fit.mean)
    prior = NormalInverseGamma([0.0, 0.0], 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="prior must be absent for a spherical covariance"):
        MultivariateNormal.fit(X, prior, covariance_type="spherical")
