"""Cosine normalisation (kernels.20)."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import cosine_similarity

from margin.kernels import RBF, Linear, Matern, Polynomial, normalise
from margin.testing import KernelContract


class TestNormalised(KernelContract):
    def make(self):
        return [
            normalise(Linear()),
            normalise(Polynomial(2, 0.4, 1.5)),
            normalise(Polynomial(1) * RBF((1.0, 2.0, 3.0)) + 2.0 * Matern()),
        ]


def test_cosine():
    """kernels.20: diagonal one, at most one in size."""
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(9, 3)), rng.normal(size=(5, 3))
    assert_allclose(normalise(Linear())(X, Z), cosine_similarity(X, Z), rtol=1e-13)
    K = normalise(Polynomial(3))(X)
    assert_array_equal(np.diagonal(K), np.ones(9))
    assert (np.abs(K) <= 1.0).all()


def test_size_has_no_effect():
    X = np.random.default_rng(1).normal(size=(6, 2))
    sizes = np.arange(1.0, 7.0)[:, None]
    assert_allclose(normalise(Linear())(X * sizes), normalise(Linear())(X), atol=1e-14)


def test_an_object_without_features_is_like_nothing():
    K = normalise(Linear())([[0.0, 0.0], [1.0, 1.0]])
    assert_array_equal(K, [[0.0, 0.0], [0.0, 1.0]])
    assert_array_equal(normalise(Linear()).diag([[0.0], [2.0]]), [0.0, 1.0])
