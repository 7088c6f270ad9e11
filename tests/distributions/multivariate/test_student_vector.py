import numpy as np
import pytest
from scipy.stats import invwishart, multivariate_normal, multivariate_t

from margin.distributions import MultivariateNormal, NormalInverseWishart, StudentVector

LOC, SCALE = np.array([1.0, -2.0]), np.array([[2.0, 0.5], [0.5, 1.0]])


def test_density_and_its_marginals():
    rows = np.array([[0.0, 0.0], [1.0, -2.0], [5.0, np.nan], [np.nan, 1.0], [np.nan, np.nan]])
    found = StudentVector(4.0, LOC, SCALE).log_prob(rows)
    law = multivariate_t(LOC, SCALE, df=4.0)
    np.testing.assert_allclose(found[:2], law.logpdf(rows[:2]), rtol=1e-10)
    first = multivariate_t(LOC[:1], SCALE[:1, :1], df=4.0)
    second = multivariate_t(LOC[1:], SCALE[1:, 1:], df=4.0)
    assert found[2] == pytest.approx(first.logpdf([5.0]))
    assert found[3] == pytest.approx(second.logpdf([1.0]))
    assert found[4] == 0.0


def test_predictive_is_the_integral_over_the_posterior():
    """linear.42: the Bayesian estimate, by drawing means and covariances from the belief."""
    X = np.random.default_rng(0).standard_normal((8, 2))
    belief = NormalInverseWishart([0.0, 0.0], 1.0, np.eye(2), 4.0).posterior(
        MultivariateNormal.statistics(X)
    )
    rng = np.random.default_rng(1)
    point, total = np.array([0.5, 1.0]), 0.0
    covariances = invwishart(belief.df, belief.scale).rvs(4000, random_state=rng)
    for covariance in covariances:
        mean = rng.multivariate_normal(belief.mean, covariance / belief.strength)
        total += multivariate_normal(mean, covariance).pdf(point)
    found = np.exp(StudentVector.predictive(belief).log_prob(point[None])[0])
    assert found == pytest.approx(total / 4000, rel=0.05)


def test_samples_have_the_covariance_of_the_law():
    drawn = StudentVector(8.0, LOC, SCALE).sample(60_000, np.random.default_rng(0))
    np.testing.assert_allclose(drawn.mean(axis=0), LOC, atol=0.03)
    np.testing.assert_allclose(np.cov(drawn.T), SCALE * 8 / 6, atol=0.1)


def test_moments_and_entropy():
    """Against SciPy; moments that do not exist are said so."""
    law = StudentVector(5.0, LOC, SCALE)
    np.testing.assert_allclose(law.entropy, multivariate_t(LOC, SCALE, df=5.0).entropy())
    np.testing.assert_allclose(law.covariance, SCALE * 5 / 3)
    np.testing.assert_allclose(law.var, np.diag(SCALE) * 5 / 3)
    np.testing.assert_allclose(law.mean, law.mode)
    assert np.isnan(StudentVector(1.0, LOC, SCALE).mean).all()
    assert np.isinf(StudentVector(2.0, LOC, SCALE).var).all()


def test_chain_rule(definite):
    """Joint density = marginal times conditional, whatever is seen."""
    loc, scale = np.array([1.0, 0.0, -1.0]), definite(3, 0)
    law, x = StudentVector(4.0, loc, scale), np.array([0.3, 2.0, -0.5])
    for seen in ([0], [2], [0, 2], [1, 0]):
        rest = np.setdiff1d(np.arange(3), seen)
        first = law.marginal(seen).log_prob(x[seen][None])[0]
        second = law.condition(seen, x[seen]).log_prob(x[rest][None])[0]
        np.testing.assert_allclose(first + second, law.log_prob_rows(x[None])[0])
    with pytest.raises(ValueError, match="StudentVector: values must be finite"):
        law.condition([0], [np.nan])
