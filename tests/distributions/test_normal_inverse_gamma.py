import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.integrate import dblquad

from margin.distributions import ColumnMoments, Normal, NormalInverseGamma

X = np.array([0.3, 1.1, -0.4, 2.0])
PRIOR = NormalInverseGamma(0.5, 1.5, 2.0, 1.2)


def prior_density(mean, var):
    slab = stats.norm.pdf(mean, 0.5, np.sqrt(var / 1.5))
    return slab * stats.invgamma.pdf(var, 2.0, scale=1.2)


def test_evidence_and_posterior_means_against_integration():
    """distributions.34: brute force over mean and variance on a plane."""

    def weight(mean, var):
        return prior_density(mean, var) * np.prod(stats.norm.pdf(X, mean, np.sqrt(var)))

    evidence = dblquad(weight, 0.01, 60, -6, 7, epsabs=1e-9)[0]
    assert float(PRIOR.log_evidence(Normal.statistics(X))) == pytest.approx(
        np.log(evidence), abs=1e-3
    )
    posterior = PRIOR.posterior(Normal.statistics(X))
    mean = dblquad(lambda m, v: m * weight(m, v), 0.01, 60, -6, 7, epsabs=1e-9)[0] / evidence
    assert float(posterior.mean) == pytest.approx(mean, abs=1e-3)
    var = dblquad(lambda m, v: v * weight(m, v), 0.01, 60, -6, 7, epsabs=1e-9)[0] / evidence
    assert float(posterior.scale / (posterior.shape - 1)) == pytest.approx(var, rel=5e-3)


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
