"""The mean of normal observations of known variance (distributions.32)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal, Normal, NormalMean

X = np.array([1.0, 2.0, 3.0, 6.0])
PRIOR = NormalMean(0.0, 1.0, noise=2.0)


def test_worked_example():
    """distributions.32: mean 1.5, variance 0.5, prediction 4.5."""
    after = PRIOR.posterior(X)
    assert_allclose([after.mean, after.std**2], [1.5, 0.5])
    assert_allclose(after.predictive().var, 4.5)
    assert_allclose(Normal.fit(X, PRIOR).mean, 1.5)
    assert_allclose(Normal.fit(X, PRIOR).var, 4.0)


def test_evidence_is_the_joint_normal():
    """distributions.32: covariance 4 on the diagonal plus 1 everywhere; sequential equals batch."""
    joint = MultivariateNormal(np.zeros(4), 4 * np.eye(4) + 1)
    assert_allclose(PRIOR.log_evidence(X), joint.log_prob(X))
    belief, total = PRIOR, 0.0
    for x in X:
        total += float(belief.predictive().log_prob(x))
        belief = belief.posterior([x])
    assert_allclose(total, joint.log_prob(X))
    assert_allclose(PRIOR.log_evidence(np.empty(0)), 0.0)


def test_bound_is_tight_for_every_member():
    R = np.random.default_rng(0).dirichlet(np.ones(2), size=4)
    after = PRIOR.posterior(X)
    assert_allclose(after.expected_log_prob(X).sum() - after.kl(PRIOR), PRIOR.log_evidence(X))
    stacked = PRIOR.posterior(Normal.statistics(X, R))
    bound = (R * stacked.expected_log_prob(X)).sum(axis=0) - stacked.kl(PRIOR)
    assert_allclose(bound, PRIOR.log_evidence(Normal.statistics(X, R)))
    assert_allclose(stacked[1].mean, PRIOR.posterior(Normal.statistics(X, R[:, 1])).mean)
