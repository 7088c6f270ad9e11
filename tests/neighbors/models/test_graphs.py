"""Graphs of neighbours against scikit-learn's."""

import numpy as np
import pytest
import sklearn.neighbors as reference
from numpy.testing import assert_allclose

from margin.neighbors import NearestNeighbors, kneighbors_graph, radius_neighbors_graph

X = np.random.default_rng(0).normal(size=(60, 3))


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
@pytest.mark.parametrize("include_self", [True, False, "auto"])
@pytest.mark.parametrize("metric", ["minkowski", "manhattan"])
def test_against_scikit_learn(mode, include_self, metric):
    options = {"mode": mode, "include_self": include_self, "metric": metric}
    ours = kneighbors_graph(X, 4, **options)
    theirs = reference.kneighbors_graph(X, 4, **options)
    assert_allclose(ours.toarray(), theirs.toarray())
    ours = radius_neighbors_graph(X, 1.0, **options)
    theirs = reference.radius_neighbors_graph(X, 1.0, **options)
    assert_allclose(ours.toarray(), theirs.toarray())


def test_fitted_estimators():
    model = NearestNeighbors(n_neighbors=4).fit(X)
    assert (kneighbors_graph(model, 4) != kneighbors_graph(X, 4)).nnz == 0
    assert (radius_neighbors_graph(model, 1.0) != radius_neighbors_graph(X, 1.0)).nnz == 0
    with pytest.raises(ValueError, match="Got manhattan for metric"):
        kneighbors_graph(model, 4, metric="manhattan")
