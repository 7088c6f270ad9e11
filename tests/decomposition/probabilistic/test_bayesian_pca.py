"""Bayesian PCA."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition import BayesianPCA, ProbabilisticPCA


def _table(n, p, k, noise, seed):
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(p, k)))[0] * 3
    return rng.normal(size=(n, k)) @ axes.T + noise * rng.normal(size=(n, p)) + 5


@pytest.mark.parametrize(("k", "seed"), [(0, 0), (1, 1), (3, 2), (5, 3)])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e4])
def test_number_of_components_is_found(k, seed, scale):
    """decomposition.07: automatic dimension, in any unit."""
    X = _table(300, 9, k, 0.7, seed) * scale
    model = BayesianPCA().fit(X)
    assert model.n_components_ == k
    assert_allclose(model.noise_variance_ / scale**2, 0.49, rtol=0.1)
    assert model.transform(X).shape == (300, k)


def test_number_is_found_with_gaps():
    """decomposition.07: also where a fifth of the entries is missing."""
    X = _table(300, 8, 2, 0.7, 4)
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    assert BayesianPCA().fit(X).n_components_ == 2


def test_many_rows_give_maximum_likelihood():
    """decomposition.07: the prior is forgotten."""
    X = _table(20_000, 6, 2, 0.7, 5)
    ours, theirs = BayesianPCA().fit(X), ProbabilisticPCA(n_components=2).fit(X)
    assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=5e-3)


def test_weights_are_repetitions():
    X = _table(60, 5, 2, 0.5, 6)
    count = np.random.default_rng(0).integers(0, 3, 60)
    one = BayesianPCA(tol=1e-10).fit(X, sample_weight=count)
    many = BayesianPCA(tol=1e-10).fit(np.repeat(X, count, axis=0))
    assert_allclose(one.get_covariance(), many.get_covariance(), rtol=1e-4, atol=1e-4)


def test_errors():
    X = _table(10, 4, 1, 0.5, 7)
    with pytest.raises(ValueError, match="BayesianPCA: n_components must be None or an integer"):
        BayesianPCA(n_components=0).fit(X)
    with pytest.raises(ValueError, match="at least 2 samples"):
        BayesianPCA().fit(X[:1])
