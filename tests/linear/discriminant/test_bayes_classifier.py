import numpy as np
import pytest
from sklearn.datasets import load_iris

from margin.distributions import (
    Gamma,
    Laplace,
    Lomax,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    StudentT,
)
from margin.linear import BayesClassifier, GaussianNB, QuadraticDiscriminantAnalysis


@pytest.fixture
def iris():
    return load_iris(return_X_y=True)


def test_normal_densities_give_the_known_classifiers(iris):
    """linear.42: a full normal is the quadratic discriminant, a product of normals naive Bayes."""
    X, y = iris
    full = BayesClassifier(estimate="ml").fit(X, y)
    quadratic = QuadraticDiscriminantAnalysis(tol=1e-8).fit(X, y)
    np.testing.assert_allclose(full.predict_proba(X), quadratic.predict_proba(X), atol=1e-9)
    naive = BayesClassifier(density=Normal, estimate="ml", priors="uniform").fit(X, y)
    other = GaussianNB(var_smoothing=0.0, priors="uniform").fit(X, y)
    np.testing.assert_allclose(naive.predict_proba(X), other.predict_proba(X), atol=1e-9)


def test_a_prior_gives_the_mode_of_the_posterior(iris):
    """linear.42: MAP."""
    X, y = iris
    prior = NormalInverseWishart(np.zeros(4), 5.0, np.eye(4), 9.0)
    model = BayesClassifier(prior=prior).fit(X, y)
    mean, covariance = prior.posterior(MultivariateNormal.statistics(X[y == 1])).mode
    np.testing.assert_allclose(model.densities_[1].mean, mean)
    np.testing.assert_allclose(model.densities_[1].covariance, covariance)
    own = model.log_joint(X)[np.arange(len(y)), y]
    assert model.fit_report_.objective == pytest.approx(-own.mean())


@pytest.mark.parametrize(
    ("density", "prior"),
    [
        (None, NormalInverseWishart(np.zeros(4), 1.0, np.eye(4), 6.0)),
        (Normal, NormalInverseGamma(np.zeros(4), 1.0, 2.0, 1.0)),
    ],
)
def test_bayes_is_the_ratio_of_evidences(iris, density, prior):
    """linear.42: p(x | D) = p(x, D) / p(D), by the log evidence of the prior."""
    X, y = iris
    model = BayesClassifier(density=density, prior=prior, estimate="bayes").fit(X, y)
    family = density or MultivariateNormal
    row = X[75]
    for k in range(3):
        with_row = family.statistics(np.vstack([X[y == k], row]))
        without = family.statistics(X[y == k])
        ratio = np.sum(prior.log_evidence(with_row)) - np.sum(prior.log_evidence(without))
        assert model.log_joint([row])[0, k] == pytest.approx(np.log(1 / 3) + ratio, rel=1e-8)


def test_missing_values_in_fit_and_prediction(iris):
    X, y = iris
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(X.shape) < 0.15, np.nan, X)
    model = BayesClassifier(estimate="ml").fit(holes, y)
    assert model.score(X, y) > 0.95
    assert model.score(holes, y) > 0.85
    for k in range(3):
        density, rows = model.densities_[k], holes[y == k]
        best = density.log_prob(rows).sum()
        # A maximum of the likelihood of what was observed: no nearby normal explains it better.
        for _ in range(20):
            shift = 0.01 * rng.standard_normal(4)
            factor = np.eye(4) + 0.01 * rng.standard_normal((4, 4))
            other = MultivariateNormal(density.mean + shift, factor @ density.covariance @ factor.T)
            assert other.log_prob(rows).sum() < best + 1e-6
    whole = BayesClassifier(estimate="ml").fit(X, y)
    part = np.exp(whole.densities_[0].marginal([0, 2]).log_prob(X[:3][:, [0, 2]]))
    hidden = X[:3].copy()
    hidden[:, [1, 3]] = np.nan
    np.testing.assert_allclose(np.exp(whole.log_joint(hidden))[:, 0], part / 3, rtol=1e-9)


def test_sampling_reproduces_the_model(iris):
    """linear.22: generative models draw rows and labels."""
    model = BayesClassifier().fit(*iris)
    drawn, labels = model.sample(20_000, random_state=0)
    for k, density in enumerate(model.densities_):
        np.testing.assert_allclose(drawn[labels == k].mean(axis=0), density.mean, atol=0.05)


def test_refusals(iris):
    X, y = iris
    with pytest.raises(ValueError, match="density must be a family with statistics and fit"):
        BayesClassifier(density=Lomax).fit(X, y)
    with pytest.raises(ValueError, match="prior must be given for the density StudentT"):
        BayesClassifier(density=StudentT).fit(X, y)
    with pytest.raises(ValueError, match='prior must be "auto" or a prior with a posterior'):
        BayesClassifier(prior=3).fit(X, y)
    with pytest.raises(ValueError, match="estimate must be one of"):
        BayesClassifier(estimate="mle").fit(X, y)
    with pytest.raises(ArithmeticError, match="data must span all 4 dimensions"):
        BayesClassifier(estimate="ml").fit(X[[0, 1, 60, 61]], [0, 0, 1, 1])


def test_any_family_with_statistics(iris):
    """Heavy tails and skew columns: Student's t and gamma densities by maximum likelihood."""
    X, y = iris
    for family in (StudentT, Gamma, Laplace):
        model = BayesClassifier(density=family, estimate="ml").fit(X, y)
        assert model.score(X, y) > 0.9
