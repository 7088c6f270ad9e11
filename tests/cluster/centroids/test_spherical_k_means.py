"""Directions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from margin.cluster import KMeans, SphericalKMeans


def test_lengths_do_not_matter():
    """cluster.01: the cosine variant, on rows of any length, sparse or dense."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4)) + 3 * np.eye(4)[rng.integers(4, size=90)]
    stretched = X * rng.uniform(0.1, 50, size=(90, 1))
    one, two = (SphericalKMeans(n_clusters=4, random_state=0).fit(Z) for Z in (X, stretched))
    three = SphericalKMeans(n_clusters=4, random_state=0).fit(csr_array(X))
    assert_array_equal(one.labels_, two.labels_)
    assert_array_equal(one.labels_, three.labels_)
    assert_allclose(np.linalg.norm(one.cluster_centers_, axis=1), 1.0)
    cosine = (X / np.linalg.norm(X, axis=1)[:, None]) @ one.cluster_centers_.T
    assert one.inertia_ == pytest.approx((1 - cosine.max(axis=1)).sum())
    assert_allclose(one.transform(X), 1 - cosine, atol=1e-12)
    assert one.score(X) == pytest.approx(-one.inertia_)


def test_no_worse_than_k_means_of_unit_rows():
    """Half the squared Euclidean distance of unit rows is one minus the cosine."""
    rng = np.random.default_rng(1)
    U = rng.normal(size=(100, 3))
    U /= np.linalg.norm(U, axis=1)[:, None]
    start = U[:5].copy()
    plain = KMeans(5, init=start, tol=0).fit(U)
    centres = plain.cluster_centers_ / np.linalg.norm(plain.cluster_centers_, axis=1)[:, None]
    model = SphericalKMeans(n_clusters=5, init=centres).fit(U)
    assert model.inertia_ <= (1 - (U @ centres.T).max(axis=1)).sum() + 1e-12


def test_rows_of_zeros_have_no_direction():
    model = SphericalKMeans(n_clusters=2, random_state=0).fit([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]])
    assert model.inertia_ >= 1.0
    assert_allclose(model.transform([[0.0, 0.0]]), 1.0)
    assert model.labels_[1] != model.labels_[2]
    assert model.fit_report_.notes == ("1 rows of zeros have no direction: cluster 0",)
