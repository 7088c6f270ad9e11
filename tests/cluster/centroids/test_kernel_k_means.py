"""Feature space: the linear kernel is k-means, a curved one tells rings apart."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_circles
from sklearn.metrics import adjusted_rand_score

from margin.cluster import KernelKMeans, KMeans, squared_error
from margin.kernels import RBF


def test_linear_kernel_is_k_means():
    """cluster.11: the same error as k-means with as many starts."""
    X = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat([[0], [9], [20]], 20, axis=0)
    model = KernelKMeans(n_clusters=3, kernel="linear", random_state=0).fit(X)
    assert model.inertia_ == pytest.approx(KMeans(3, n_init=5, random_state=0).fit(X).inertia_)
    assert model.inertia_ == pytest.approx(squared_error(X, model.labels_))
    assert_array_equal(model.predict(X), model.labels_)


def test_rings():
    """cluster.11: a kernel whose feature is the squared length."""
    X, truth = make_circles(200, factor=0.3, noise=0.03, random_state=0)

    def kernel(X, Z):
        return np.outer((X**2).sum(axis=1), (Z**2).sum(axis=1))

    found = KernelKMeans(n_clusters=2, kernel=kernel, random_state=0).fit(X)
    plain = KMeans(2, random_state=0).fit(X)
    assert adjusted_rand_score(truth, found.labels_) > 0.9
    assert adjusted_rand_score(truth, plain.labels_) < 0.1


def test_matrix_given():
    """cluster.11: a kernel object, and its matrix, with weights."""
    rng = np.random.default_rng(1)
    X, weight = rng.normal(size=(40, 2)), rng.random(40)
    kernel = RBF(1.5)
    one = KernelKMeans(n_clusters=3, kernel=kernel, random_state=0).fit(X, sample_weight=weight)
    two = KernelKMeans(n_clusters=3, kernel="precomputed", random_state=0)
    two.fit(kernel(X), sample_weight=weight)
    assert_array_equal(one.labels_, two.labels_)
    assert_array_equal(one.predict(X[:7]), two.predict(kernel(X[:7], X)))
    with pytest.raises(ValueError, match="KernelKMeans: X must be a square kernel matrix"):
        KernelKMeans(kernel="precomputed").fit(X)
    with pytest.raises(ValueError, match="KernelKMeans: gamma must be"):
        KernelKMeans(gamma=-1.0).fit(X)
