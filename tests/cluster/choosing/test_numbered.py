"""The number of clusters, whatever it is called."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.cluster import KMeans
from margin.cluster.choosing._numbered import labels_of, numbered
from margin.mixture import GaussianMixture

X = np.array([[0.0], [0.1], [9.0], [9.1]])


def test_clusters_or_components():
    assert numbered("choose_k", KMeans(5), 2).n_clusters == 2
    model = numbered("choose_k", GaussianMixture(random_state=0), 2)
    assert model.n_components == 2
    assert_array_equal(labels_of(model.fit(X), X), model.predict(X))
    kept = KMeans(2, random_state=0).fit(X)
    assert labels_of(kept, X) is kept.labels_


def test_others_are_refused():
    with pytest.raises(ValueError, match="stability: estimator must be an estimator with n_clus"):
        numbered("stability", "KMeans", 2)
