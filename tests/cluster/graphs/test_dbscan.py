"""Dense regions by the definition."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial.distance import cdist
from sklearn import cluster

from margin.cluster import DBSCAN


@pytest.mark.parametrize("eps", [0.05, 0.1, 0.2, 2.0])
@pytest.mark.parametrize("least", [1, 3, 6])
def test_same_labels_as_the_reference(eps, least):
    X = np.random.default_rng(0).random((150, 2))
    ours, theirs = (c(eps=eps, min_samples=least).fit(X) for c in (DBSCAN, cluster.DBSCAN))
    assert_array_equal(ours.labels_, theirs.labels_)
    assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    assert_array_equal(ours.components_, X[ours.core_sample_indices_])


def test_by_definition():
    """cluster.14: from a matrix of proximities; cores, borders and noise."""
    X = np.random.default_rng(1).random((80, 2))
    D = cdist(X, X)
    model = DBSCAN(eps=0.12, min_samples=4, metric="precomputed").fit(D)
    core = (D <= 0.12).sum(axis=1) >= 4
    assert_array_equal(np.flatnonzero(core), model.core_sample_indices_)
    label = model.labels_
    for i in np.flatnonzero(core):
        near = np.flatnonzero((D[i] <= 0.12) & core)
        assert (label[near] == label[i]).all()
    reached = ((D <= 0.12) & core).any(axis=1)
    assert_array_equal(label >= 0, reached)


def test_matrix_in_any_order():
    """cluster.14: a joint permutation of rows and columns keeps cores and noise."""
    X = np.random.default_rng(2).random((60, 2))
    D, order = cdist(X, X), np.random.default_rng(3).permutation(60)
    model = DBSCAN(eps=0.15, min_samples=3, metric="precomputed")
    one, two = model.fit(D).labels_, model.fit(D[np.ix_(order, order)]).labels_
    assert_array_equal(one[order] < 0, two < 0)


def test_bad_settings_are_named():
    with pytest.raises(ValueError, match="DBSCAN: eps must be"):
        DBSCAN(eps=0.0).fit([[0.0]])
    with pytest.raises(ValueError, match="DBSCAN: sample_weight must be 2 finite numbers"):
        DBSCAN().fit([[0.0], [1.0]], sample_weight=[1.0])
    assert_array_equal(DBSCAN().fit([[0.0]]).labels_, [-1])
