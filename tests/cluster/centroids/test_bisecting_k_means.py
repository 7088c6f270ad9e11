"""Splits in two."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import adjusted_rand_score

from margin.cluster import BisectingKMeans, squared_error


@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
def test_tree_of_splits(strategy):
    """cluster.09: top-down clusters; the total error never rises and is that of the labels."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 40)
    X = rng.normal(size=(160, 2)) + 20 * np.array([[0, 0], [1, 0], [0, 3], [1, 3]])[truth]
    model = BisectingKMeans(4, bisecting_strategy=strategy, n_init=5, random_state=0).fit(X)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert model.inertia_ == pytest.approx(squared_error(X, model.labels_))
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 0
    assert_array_equal(model.predict(X), model.labels_)
    for c in range(4):
        assert_allclose(model.cluster_centers_[c], X[model.labels_ == c].mean(axis=0))
    assert model.children_.shape == (7, 2)


def test_given_centres_are_refused():
    with pytest.raises(ValueError, match="BisectingKMeans: init must be a name or a callable"):
        BisectingKMeans(2, init=np.zeros((2, 1))).fit([[0.0], [1.0]])
