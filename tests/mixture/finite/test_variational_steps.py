"""The two steps of variational Bayes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Moments, NormalInverseWishart
from margin.mixture.finite._gaussian_expectation import diagonal
from margin.mixture.finite._mixture_statistics import MixtureStatistics
from margin.mixture.finite._row_groups import Table
from margin.mixture.finite._variational_steps import GaussianPrior, VariationalSteps

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2))
SHARE = RNG.dirichlet(np.ones(2), size=30)
PRIOR = GaussianPrior(0.5, False, np.array([0.2, -0.1]), 0.7, 3.0, np.array([[1.0, 0.2], [0.2, 2]]))


def full():
    steps = VariationalSteps(Table.of(X, None, split=True), PRIOR, 0.0)
    stats = MixtureStatistics(0.0, 30.0, SHARE.sum(axis=0), Moments.of(X, SHARE))
    return steps, stats


def test_beliefs_are_conjugate_posteriors():
    """inference.31: as the normal-inverse-Wishart belief updates."""
    steps, stats = full()
    belief = steps.belief(stats, "full")
    prior = NormalInverseWishart(PRIOR.mean, 0.7, PRIOR.covariance, 3.0)
    after = prior.posterior(stats.moments)
    assert_allclose(belief.plug_in.means, after.mean)
    assert_allclose(belief.plug_in.covariances * belief.df[:, None, None], after.scale)
    expected = after.expected_log_prob(X)
    found = belief.plug_in.distribution().components
    plain = np.column_stack([c.log_prob(X) for c in found])
    levels = belief.levels - belief.weights.expected_log
    assert_allclose(plain + levels, expected)


def test_the_price_is_the_divergence_of_the_beliefs():
    """inference.31: bound minus rows."""
    steps, stats = full()
    belief = steps.belief(stats, "full")
    prior = NormalInverseWishart(PRIOR.mean, 0.7, PRIOR.covariance, 3.0)
    kl = prior.posterior(stats.moments).kl(prior).sum()
    bound, found = steps.expect(belief)
    price = found.bound - bound
    assert_allclose(price, kl + belief.weights.price(0.5))


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_alternating_never_lowers_the_bound(kind):
    """inference.31: from random shares, for every kind."""
    prior = GaussianPrior(
        0.5,
        True,
        PRIOR.mean,
        0.7,
        3.0,
        {"diag": np.array([1.0, 2]), "spherical": np.asarray(1.5)}.get(kind, PRIOR.covariance),
    )
    rows = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
    split = kind in ("full", "tied")
    steps = VariationalSteps(Table.of(rows, None, split=split), prior, 0.05)
    stats = MixtureStatistics(0.0, 30.0, SHARE.sum(axis=0), Moments.of(X, SHARE))
    if not split:
        stats = MixtureStatistics(0.0, 30.0, SHARE.sum(axis=0), diagonal(stats.moments))
    belief = steps.belief(stats, kind)
    bounds = []
    for _ in range(30):
        bound, stats = steps.expect(belief)
        bounds.append(bound)
        belief = steps.maximise(stats, belief)
    assert np.diff(bounds).min() > -1e-9
