"""Clusters to start from: those of scikit-learn's k-means, seed by seed."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans

from margin.inference import k_means


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_clusters_of_a_peer_in_its_order(weighted, seed):
    rng = np.random.default_rng(seed)
    X = 40 + rng.normal(size=(500, 4)) + 5 * rng.integers(3, size=(500, 1))
    weight = rng.random(500) if weighted else None
    centres, found = k_means(X, 5, seed, weight)
    theirs = KMeans(5, n_init=1, random_state=seed).fit(X, sample_weight=weight)
    assert_array_equal(found.label, theirs.labels_)
    assert_allclose(centres, theirs.cluster_centers_)
    assert_allclose(found.inertia, theirs.inertia_)


def test_fewer_different_rows_than_clusters():
    X = np.repeat([[0.0, 1.0], [5.0, 5.0]], 4, axis=0)
    _, found = k_means(X, 3, 0)
    assert found.inertia == 0.0
    assert len(np.unique(found.label)) == 2
