"""Full Bayesian estimation on a grid (distributions.27)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Bernoulli, BetaBernoulli, GridPosterior, Normal, NormalMean


def test_against_conjugate_beliefs():
    """distributions.27: mean, evidence and prediction; batch by batch equals all at once."""
    grid = np.linspace(-8, 8, 1601)
    prior = NormalMean(0.0, 1.0, noise=2.0)
    x = np.array([1.0, 2.0, 3.0, 6.0])

    def make(t):
        return Normal(t, 2.0)

    start = GridPosterior.of(grid, prior.distribution.log_prob(grid))
    whole = start.update(make, x)
    assert_allclose(whole.mean, 1.5, rtol=1e-9)
    assert_allclose(whole.log_evidence, prior.log_evidence(x), rtol=1e-9)
    assert_allclose(whole.mode, 1.5, atol=1e-9)
    wanted = prior.posterior(x).predictive().log_prob([0.0, 5.0])
    assert_allclose(whole.predictive_log_prob(make, [0.0, 5.0]), wanted, rtol=1e-9)
    parts = start.update(make, x[:1]).update(make, x[1:])
    assert_allclose(parts.log_weight, whole.log_weight, atol=1e-9)
    assert_allclose(parts.log_evidence, whole.log_evidence)


def test_flat_prior_on_a_share():
    """distributions.27, distributions.35."""
    grid = (np.arange(2000) + 0.5) / 2000
    belief = GridPosterior.of(grid).update(Bernoulli, [1, 1, 0, 0, 0, 1, 1])
    exact = BetaBernoulli(1.0, 1.0).log_evidence([1, 1, 0, 0, 0, 1, 1])
    assert_allclose(belief.mean, 5 / 9, rtol=1e-6)
    assert_allclose(belief.log_evidence, exact, rtol=1e-5)


def test_refusals():
    with pytest.raises(ValueError, match="GridPosterior: log_prior must be of shape"):
        GridPosterior.of([0.1, 0.2], [0.0])
    with pytest.raises(ValueError, match="X must be possible for some value of the grid"):
        GridPosterior.of([0.0]).update(Bernoulli, [1.0])
