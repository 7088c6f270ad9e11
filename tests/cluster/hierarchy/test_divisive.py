"""Splits from above."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from margin.cluster import DivisiveClustering


def test_separated_clusters_are_split_first():
    """cluster.09: top-down, the widest cluster first; earlier cuts are coarser."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    X = rng.normal(size=(60, 2)) + np.array([[0, 0], [30, 0], [0, 50]])[truth]
    model = DivisiveClustering(n_clusters=3).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert np.diff(model.diameters_).max() <= 0
    assert model.diameters_[0] == pytest.approx(cdist(X, X).max())
    for k in (1, 2, 3):
        coarse = model.cut(k)
        assert len(np.unique(coarse)) == k
        assert_array_equal(coarse, DivisiveClustering(n_clusters=k).fit(X).labels_)


def test_matrix_in_any_order():
    """cluster.14: a joint permutation permutes the labels."""
    X = np.random.default_rng(1).normal(size=(30, 2))
    D, order = cdist(X, X), np.random.default_rng(2).permutation(30)
    model = DivisiveClustering(n_clusters=5, metric="precomputed")
    one, two = model.fit(D).labels_, model.fit(D[np.ix_(order, order)]).labels_
    assert adjusted_rand_score(one[order], two) == 1.0


def test_equal_rows_stay_together():
    model = DivisiveClustering(n_clusters=4).fit([[0.0], [0.0], [1.0], [1.0]])
    assert model.n_clusters_ == 2
    assert "equal rows" in model.fit_report_.message
    with pytest.raises(ValueError, match="DivisiveClustering: n_clusters must be from 1 to 2"):
        model.cut(3)
