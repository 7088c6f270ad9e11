import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import logsumexp

from margin.core import FitError
from margin.distributions import Moments, Normal, NormalInverseGamma, NormalInverseWishart

PSI = np.array([[2.0, 0.5], [0.5, 1.0]])
PRIOR = NormalInverseWishart([0.5, -0.5], 1.5, PSI, 4.0)
X = np.array([[0.3, 0.1], [1.1, -0.4], [-0.2, 0.8]])


def test_evidence_against_simulation_from_the_prior():
    """Average the likelihood over draws of mean and covariance."""
    rng, n = np.random.default_rng(0), 60_000
    sigma = stats.invwishart.rvs(4.0, PSI, size=n, random_state=rng)
    lower = np.linalg.cholesky(sigma)
    mean = PRIOR.mean + np.einsum("nij,nj->ni", lower, rng.normal(size=(n, 2))) / np.sqrt(1.5)
    residual = X[None] - mean[:, None]
    quadratic = np.einsum("nki,nij,nkj->n", residual, np.linalg.inv(sigma), residual)
    log_det = np.log(np.linalg.det(sigma))
    log_likelihood = -0.5 * (quadratic + 3 * log_det + 6 * np.log(2 * np.pi))
    estimate = logsumexp(log_likelihood) - np.log(n)
    assert PRIOR.log_evidence(Moments.of(X)) == pytest.approx(estimate, abs=0.05)


def test_sequential_updates_equal_the_batch():
    batch, step, total = PRIOR.posterior(Moments.of(X)), PRIOR, 0.0
    for row in X:
        total += step.log_evidence(Moments.of(row[None]))
        step = step.posterior(Moments.of(row[None]))
    assert_allclose(step.mean, batch.mean)
    assert_allclose(step.scale, batch.scale)
    assert (step.strength, step.df) == (batch.strength, batch.df)
    assert total == pytest.approx(PRIOR.log_evidence(Moments.of(X)))


def test_one_dimension_is_the_normal_inverse_gamma():
    """Degrees of freedom are twice the shape, the scale is twice the scale."""
    x = X[:, 0]
    wide = NormalInverseWishart([0.2], 1.5, [[2.4]], 4.0)
    flat = NormalInverseGamma(0.2, 1.5, 2.0, 1.2)
    assert wide.log_evidence(Moments.of(x[:, None])) == pytest.approx(
        float(flat.log_evidence(Normal.statistics(x)))
    )
    ours, theirs = wide.posterior(Moments.of(x[:, None])), flat.posterior(Normal.statistics(x))
    assert_allclose(ours.mode[1].ravel(), theirs.mode[1])
    assert_allclose(ours.predictive_marginals().log_prob([0.7]), theirs.predictive().log_prob(0.7))


def test_predictive_marginal_against_simulation():
    rng, n = np.random.default_rng(1), 100_000
    sigma = stats.invwishart.rvs(4.0, PSI, size=n, random_state=rng)
    spread = np.sqrt(sigma[:, 0, 0] * (1 + 1 / 1.5))
    draws = PRIOR.mean[0] + spread * rng.normal(size=n)
    assert stats.kstest(draws, PRIOR.predictive_marginals()[0].cdf).pvalue > 0.01


def test_no_data_leaves_the_prior():
    after = PRIOR.posterior(Moments.zero(2))
    assert_allclose(after.scale, PRIOR.scale)
    assert PRIOR.log_evidence(Moments.zero(2)) == pytest.approx(0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"strength": 0.0}, "NormalInverseWishart: strength must be a number above 0, got 0"),
        ({"df": 1.0}, r"NormalInverseWishart: df must be a number above 1, got 1\.0"),
        ({"mean": [0.0]}, r"NormalInverseWishart: mean must be of shape \(2,\)"),
        ({"scale": [[1.0, 2.0]]}, "scale of the prior must be square"),
    ],
)
def test_bad_parameters_are_refused(change, message):
    given = {"mean": [0.0, 0.0], "strength": 1.0, "scale": PSI, "df": 4.0}
    with pytest.raises(ValueError, match=message):
        NormalInverseWishart(**(given | change))


def test_singular_scale_and_wrong_dimension_are_refused():
    with pytest.raises(FitError, match="scale of the prior must be positive definite"):
        NormalInverseWishart([0.0, 0.0], 1.0, np.ones((2, 2)), 4.0)
    with pytest.raises(ValueError, match="dimension must be 2, got 3"):
        PRIOR.posterior(Moments.zero(3))
