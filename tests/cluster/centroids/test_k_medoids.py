"""Medoids by enumeration, any distance, any order of the rows."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from margin.cluster import KMedoids


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "minkowski"])
@pytest.mark.parametrize("init", ["build", "random", "k-medoids++"])
def test_best_medoids_of_few_rows(metric, init):
    """cluster.01: any Minkowski or cosine distance; the sum is the least of all choices."""
    X = np.random.default_rng(0).normal(size=(12, 2))
    params = {"p": 1.5} if metric == "minkowski" else {}
    D = cdist(X, X, metric, **params)
    least = min(D[:, list(m)].min(axis=1).sum() for m in combinations(range(12), 3))
    model = KMedoids(
        n_clusters=3, metric=metric, metric_params=params, init=init, n_init=10, random_state=0
    ).fit(X)
    assert least - 1e-7 <= model.inertia_ <= (1.06 if init == "build" else 1 + 1e-7) * least
    assert model.inertia_ == pytest.approx(D[:, model.medoid_indices_].min(axis=1).sum(), rel=1e-6)
    assert_array_equal(model.predict(X), model.labels_)
    assert_allclose(model.transform(X), D[:, model.medoid_indices_], atol=1e-7)


def test_matrix_in_any_order():
    """cluster.14: a joint permutation of rows and columns permutes the labels."""
    X = np.random.default_rng(1).normal(size=(40, 2)) + np.repeat([[0, 0], [9, 9]], 20, axis=0)
    D, order = cdist(X, X), np.random.default_rng(2).permutation(40)
    one = KMedoids(n_clusters=2, metric="precomputed").fit(D)
    two = KMedoids(n_clusters=2, metric="precomputed").fit(D[np.ix_(order, order)])
    assert one.inertia_ == pytest.approx(two.inertia_)
    same = one.labels_[order] == two.labels_
    assert same.all() or not same.any()
    assert_array_equal(one.predict(D), one.labels_)
    with pytest.raises(ValueError, match="should be square"):
        KMedoids(metric="precomputed").fit(X)


def test_weight_and_metric():
    model = KMedoids(n_clusters=1).fit([[0.0], [1.0], [10.0]], sample_weight=[1, 1, 9])
    assert_array_equal(model.medoid_indices_, [2])
    with pytest.raises(ValueError, match="KMedoids: metric must be"):
        KMedoids(metric="nearness").fit(np.zeros((9, 1)))
