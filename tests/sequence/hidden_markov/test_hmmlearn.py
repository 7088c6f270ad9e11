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
        from_hmmlearn(named("GMMHMM"))
