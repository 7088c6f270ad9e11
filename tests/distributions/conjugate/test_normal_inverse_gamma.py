import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import ColumnMoments, Normal, NormalInverseGamma

X = np.array([0.3, 1.1, -0.4, 2.0])
PRIOR = NormalInverseGamma(0.5, 1.5, 2.0, 1.2)


def test_evidence_and_posterior_means_against_integration():
    """distributions.34: brute force over a fine grid of means and log-variances."""
    mean = np.linspace(-12, 13, 1001)[:, None]
    log_var = np.linspace(-5, 9, 1001)[None, :]
    std = np.exp(log_var / 2)
    log_joint = stats.norm.logpdf(mean, 0.5, std / np.sqrt(1.5))
    log_joint = log_joint + stats.invgamma.logpdf(std**2, 2.0, scale=1.2) + log_var
    for x in X:
        log_joint = log_joint + stats.norm.logpdf(x, mean, std)
    weight = np.exp(log_joint) * (25 / 1000) * (14 / 1000)
    evidence = weight.sum()
    found = PRIOR.log_evidence(Normal.statistics(X))
    assert float(found) == pytest.approx(np.log(evidence), abs=1e-4)
    posterior = PRIOR.posterior(Normal.statistics(X))
    assert float(posterior.mean) == pytest.approx((weight * mean).sum() / evidence, abs=1e-4)
    var = (weight * std**2).sum() / evidence
    assert float(posterior.scale / (posterior.shape - 1)) == pytest.approx(var, rel=1e-3)


def test_sequential_updates_equal_the_batch_and_the_order_does_not_matter():
    """distributions.34"""
    batch = PRIOR.posterior(Normal.statistics(X))
    step = PRIOR
    for x in X[::-1]:
        step = step.posterior(Normal.statistics([x]))
    for name in ("mean", "strength", "shape", "scale"):
        assert_allclose(getattr(step, name), getattr(batch, name))


def test_evidence_is_the_product_of_predictive_densities():
    """distributions.34: chain rule through Student's t."""
    belief, total = PRIOR, 0.0
    for x in X:
        total += float(belief.predictive().log_prob(x))
        belief = belief.posterior(Normal.statistics([x]))
    assert total == pytest.approx(float(PRIOR.log_evidence(Normal.statistics(X))))


def test_weak_prior_tends_to_maximum_likelihood():
    weak = NormalInverseGamma(0.0, 1e-9, 1e-9, 1e-9)
    big = np.random.default_rng(0).normal(3.0, 2.0, size=5000)
    ml, near = Normal.fit(Normal.statistics(big)), Normal.fit(Normal.statistics(big), weak)
    assert_allclose(near.mean, ml.mean)
    assert_allclose(near.std, ml.std, rtol=1e-3)


def test_no_data_leaves_the_prior_and_columns_are_updated_one_by_one():
    assert_allclose(PRIOR.posterior(ColumnMoments.of([])).scale, PRIOR.scale)
    assert float(PRIOR.log_evidence(ColumnMoments.of([]))) == pytest.approx(0)
    table = np.column_stack([X, np.full(4, np.nan), 2 * X])
    posterior = PRIOR.posterior(Normal.statistics(table))
    assert posterior.mean.shape == (3,)
    assert_allclose(posterior.mean[0], PRIOR.posterior(Normal.statistics(X)).mean)
    assert_allclose(posterior.mean[1], PRIOR.mean)


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="NormalInverseGamma: strength must be above 0"):
        NormalInverseGamma(0.0, 0.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="NormalInverseGamma: scale must be above 0"):
        NormalInverseGamma(0.0, 1.0, 1.0, -1.0)


def test_bound_is_tight_at_the_posterior():
    """distributions.27: log evidence = E log p(data) - KL(posterior, prior), exactly."""
    x = np.random.default_rng(0).normal(size=20) + 1.0
    prior = NormalInverseGamma(0.0, 0.5, 1.5, 2.0)
    after = prior.posterior(x)
    bound = after.expected_log_prob(x).sum() - after.kl(prior)
    assert_allclose(bound, prior.log_evidence(x), rtol=1e-10)
    assert_allclose(after.kl(after), 0.0, atol=1e-12)


def test_members_at_once():
    """Responsibilities give a belief for every member and column."""
    rng = np.random.default_rng(0)
    X, R = rng.normal(size=(40, 2)), rng.dirichlet(np.ones(3), size=40)
    X[::4, 0] = np.nan
    prior = NormalInverseGamma([0.0, 1.0], 1.0, 1.0, 1.0)
    stacked = prior.posterior(Normal.statistics(X, R))
    table = stacked.expected_log_prob(X)
    assert table.shape == (40, 3)
    for j in range(3):
        alone = prior.posterior(Normal.statistics(X, R[:, j]))
        assert_allclose(stacked[j].scale, alone.scale)
        assert_allclose(table[:, j], alone.expected_log_prob(X))
