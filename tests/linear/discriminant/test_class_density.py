import numpy as np
import pytest
from scipy.optimize import minimize

from margin.distributions import MultivariateNormal, Normal, NormalInverseWishart, StudentVector
from margin.linear.discriminant._class_density import (
    automatic_prior,
    class_density,
    completed_statistics,
)


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2)) @ np.array([[1.0, 0.8], [0.0, 0.6]])
    return np.where(rng.random(X.shape) < 0.2, np.nan, X), np.ones(50)


def test_completed_rows_have_the_most_likely_normal(rows):
    """linear.42: against a general optimiser."""
    X, weight = rows
    density = class_density("Model", MultivariateNormal, X, weight, None, "ml")

    def loss(t):
        root = np.array([[np.exp(t[2]), 0.0], [t[3], np.exp(t[4])]])
        return -MultivariateNormal(t[:2], cholesky=root).log_prob(X).sum()

    best = minimize(loss, np.zeros(5), method="BFGS")
    assert -density.log_prob(X).sum() == pytest.approx(best.fun, rel=1e-8)


def test_complete_rows_are_taken_as_they_are(rows):
    X, weight = np.nan_to_num(rows[0]), rows[1]
    stats = completed_statistics(MultivariateNormal, X, weight, None)
    np.testing.assert_array_equal(stats.mean, MultivariateNormal.statistics(X, weight).mean)


def test_automatic_priors(rows):
    X, weight = rows
    wide = automatic_prior(MultivariateNormal, X, weight)
    assert isinstance(wide, NormalInverseWishart)
    np.testing.assert_allclose(wide.mean, np.nanmean(X, axis=0))
    assert automatic_prior(Normal, X, weight) is not None
    assert automatic_prior(StudentVector, X, weight) is None


def test_parameters_integrated_out(rows):
    X, weight = rows
    prior = automatic_prior(MultivariateNormal, X, weight)
    assert isinstance(
        class_density("Model", MultivariateNormal, X, weight, prior, "bayes"), StudentVector
    )
