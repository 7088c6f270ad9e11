"""Answers of models with centres."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from margin.cluster import KMeans
from margin.cluster.centroids._centre_model import distances


def test_answers_by_brute_force():
    rng = np.random.default_rng(0)
    X, Q, weight = rng.normal(size=(80, 3)), rng.normal(size=(30, 3)), rng.random(30)
    model = KMeans(4, random_state=0).fit(X)
    D = cdist(Q, model.cluster_centers_)
    assert_array_equal(model.predict(Q), D.argmin(axis=1))
    assert_allclose(model.transform(Q), D)
    assert_allclose(model.transform(csr_array(Q)), D, atol=1e-7)
    assert model.score(Q, sample_weight=weight) == pytest.approx(-weight @ D.min(axis=1) ** 2)
    assert list(model.get_feature_names_out()) == [f"kmeans{c}" for c in range(4)]


def test_distance_of_a_centre_to_itself_is_zero():
    X = 1e8 + np.random.default_rng(0).normal(size=(5, 2))
    assert_array_equal(distances(X, X).diagonal(), 0.0)
