from types import SimpleNamespace

import numpy as np
import pytest

from margin.distributions import MultivariateNormal, Poisson
from margin.sequence import from_hmmlearn

CHAIN = {"startprob_": np.array([0.6, 0.4]), "transmat_": np.array([[0.7, 0.3], [0.4, 0.6]])}


def named(name, **attributes):
    return type(name, (SimpleNamespace,), {})(**CHAIN, **attributes)


def test_symbols_counts_and_vectors():
    symbols = from_hmmlearn(
        named("CategoricalHMM", emissionprob_=np.array([[0.9, 0.1], [0.2, 0.8]]))
    )
    np.testing.assert_allclose(np.exp(symbols.log_prob([[0, 0, 1]])), 0.13623)
    counts = from_hmmlearn(named("PoissonHMM", lambdas_=np.array([[1.0, 2.0], [5.0, 6.0]])))
    first = (
        CHAIN["startprob_"] @ np.exp(Poisson([[1.0, 2.0], [5.0, 6.0]]).log_prob_rows([[3, 4]]))[0]
    )
    np.testing.assert_allclose(np.exp(counts.log_prob([[[3, 4]]])), first)
    means, spread = np.array([[0.0, 0.0], [3.0, 1.0]]), np.array([np.eye(2), 2 * np.eye(2)])
    vectors = from_hmmlearn(named("GaussianHMM", means_=means, covars_=spread))
    density = np.exp(MultivariateNormal(means, spread).log_prob_rows([[1.0, 1.0]]))[0]
    np.testing.assert_allclose(
        np.exp(vectors.log_prob([[[1.0, 1.0]]])), CHAIN["startprob_"] @ density
    )


def test_what_is_not_understood():
    with pytest.raises(ValueError, match="from_hmmlearn: model must be a GaussianHMM"):
        from_hmmlearn(named("MultinomialHMM"))


@pytest.mark.parametrize("kind", ["full", "diag", "spherical", "tied"])
def test_mixtures(kind):
    """Densities by hand, from the shapes in which hmmlearn keeps covariances."""
    rng = np.random.default_rng(0)
    means, weights = rng.normal(size=(2, 3, 2)), rng.dirichlet(np.ones(3), 2)
    covars = {
        "full": np.eye(2) + 0.3 * rng.random((2, 3, 1, 1)),
        "diag": 0.5 + rng.random((2, 3, 2)),
        "spherical": 0.5 + rng.random((2, 3)),
        "tied": np.eye(2) + 0.3 * rng.random((2, 1, 1)),
    }[kind]
    model = named("GMMHMM", means_=means, weights_=weights, covars_=covars, covariance_type=kind)
    x, density = np.array([0.3, -0.2]), np.zeros(2)
    for k in range(2):
        for m in range(3):
            cov = {
                "full": lambda k=k, m=m: covars[k, m],
                "diag": lambda k=k, m=m: np.diag(covars[k, m]),
                "spherical": lambda k=k, m=m: covars[k, m] * np.eye(2),
                "tied": lambda k=k, m=m: covars[k],
            }[kind]()
            density[k] += weights[k, m] * np.exp(MultivariateNormal(means[k, m], cov).log_prob(x))
    found = from_hmmlearn(model).log_prob([x[None]])
    np.testing.assert_allclose(np.exp(found), CHAIN["startprob_"] @ density)
