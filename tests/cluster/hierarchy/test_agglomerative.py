"""The estimator over the merges."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import linkage as reference
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from margin.cluster import (
    AgglomerativeClustering,
    DivisiveClustering,
    squared_error,
    squared_error_rise,
)

X = np.random.default_rng(0).normal(size=(40, 3))


@pytest.mark.parametrize("linkage", ["ward", "complete", "average", "single", "centroid"])
def test_history_and_cuts(linkage):
    """cluster.07: the merge history is SciPy's, and a cut at any k is a fit with that k."""
    model = AgglomerativeClustering(3, linkage=linkage, compute_distances=True).fit(X)
    assert_allclose(model.linkage_matrix_, reference(X, linkage), rtol=1e-9)
    assert_allclose(model.distances_, model.linkage_matrix_[:, 2])
    for k in (1, 2, 7, 40):
        other = AgglomerativeClustering(k, linkage=linkage).fit(X)
        assert_array_equal(model.cut(k), other.labels_)
    height = model.distances_[-3]
    if linkage != "centroid":
        assert len(np.unique(model.cut(distance=height))) == 4


def test_ward_adds_the_least_error():
    """cluster.10: every step of Ward raises the squared error by the least of all merges."""
    small = X[:14]
    model = AgglomerativeClustering(2).fit(small)
    for k in range(14, 2, -1):
        before, after = model.cut(k), model.cut(k - 1)
        rise = squared_error(small, after) - squared_error(small, before)
        rows = [np.flatnonzero(before == c) for c in range(k)]
        least = min(squared_error_rise(small, rows[i], rows[j]) for i in range(k) for j in range(i))
        assert rise == pytest.approx(least)
    own = AgglomerativeClustering(3, linkage=squared_error_rise).fit(small)
    assert adjusted_rand_score(own.labels_, model.cut(3)) == 1.0


@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_matrix_in_any_order(linkage):
    """cluster.14: proximities alone, and a joint permutation permutes the labels."""
    D, order = cdist(X, X), np.random.default_rng(1).permutation(40)
    model = AgglomerativeClustering(4, metric="precomputed", linkage=linkage)
    one = model.fit(D).labels_
    two = model.fit(D[np.ix_(order, order)]).labels_
    assert adjusted_rand_score(one[order], two) == 1.0
    rows = AgglomerativeClustering(4, linkage=linkage).fit(X).labels_
    assert_array_equal(one, rows)


def test_awkward_input():
    assert len(set(AgglomerativeClustering(3).fit(np.ones((5, 2))).labels_)) == 3
    with pytest.raises(ValueError, match="AgglomerativeClustering: X must hold at least 2 samp"):
        AgglomerativeClustering().fit([[1.0]])
    with pytest.raises(ValueError, match="n_clusters must be at most the 4 samples, got 5"):
        AgglomerativeClustering(5).fit(X[:4])
    with pytest.raises(ValueError, match="metric must be 'euclidean' for linkage 'ward'"):
        AgglomerativeClustering(metric="manhattan").fit(X)
    with pytest.raises(ValueError, match="linkage must be a callable or one of"):
        AgglomerativeClustering(linkage="best").fit(X)
    with pytest.raises(ValueError, match="exactly one of n_clusters and distance"):
        AgglomerativeClustering().fit(X).cut()
    with pytest.raises(ValueError, match="n_clusters must be an integer from 1 to 40"):
        AgglomerativeClustering().fit(X).cut(41)


@pytest.mark.parametrize("linkage", ["ward", "complete", "average", "single", "centroid"])
@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_rows_of_any_scale(linkage, scale):
    """Squares of these numbers are none, and the tree is that of smaller ones."""
    X = np.array([[1.0], [-1.5], [3.0], [7.0]])
    model, usual = (
        AgglomerativeClustering(2, linkage=linkage, compute_distances=True).fit(c * X)
        for c in (scale, 1.0)
    )
    assert_array_equal(model.children_, usual.children_)
    np.testing.assert_allclose(model.distances_ / scale, usual.distances_)


def test_distances_beyond_all_numbers_are_refused_in_words():
    X = [[1e308], [-1e308], [9e307]]
    words = "X must be scaled so that distances between rows are finite, got inf"
    for metric in ("euclidean", "manhattan"):
        with pytest.raises(ValueError, match=f"AgglomerativeClustering: {words}"):
            AgglomerativeClustering(2, linkage="average", metric=metric).fit(X)
    with pytest.raises(ValueError, match=f"DivisiveClustering: {words}"):
        DivisiveClustering(n_clusters=2).fit(X)
