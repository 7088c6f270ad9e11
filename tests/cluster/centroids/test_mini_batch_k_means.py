"""Batches come close to the whole."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from margin.cluster import KMeans, MiniBatchKMeans


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(5), 200)
    return rng.normal(size=(1000, 3)) + 9 * rng.normal(size=(5, 3))[truth], truth


def test_close_to_k_means(blobs):
    """cluster.01: a few per cent above the sum of squared errors of all rows at once."""
    X, truth = blobs
    full = KMeans(5, n_init=5, random_state=0).fit(X)
    model = MiniBatchKMeans(5, batch_size=100, n_init=5, random_state=0).fit(X)
    assert model.inertia_ < 1.1 * full.inertia_
    assert adjusted_rand_score(truth, model.labels_) > 0.95
    assert_array_equal(model.predict(X), model.labels_)


def test_batches_one_after_the_other(blobs):
    X, truth = blobs
    order = np.random.default_rng(1).permutation(1000)
    model = MiniBatchKMeans(5, random_state=0)
    for rows in np.array_split(order, 10):
        model.partial_fit(csr_array(X[rows]))
    assert model.n_steps_ == 10
    assert adjusted_rand_score(truth, model.predict(X)) > 0.6


def test_bad_settings_are_named(blobs):
    with pytest.raises(ValueError, match="MiniBatchKMeans: batch_size must be"):
        MiniBatchKMeans(batch_size=0).fit(blobs[0])
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=8"):
        MiniBatchKMeans().partial_fit(blobs[0][:3])
