"""Cuts of graphs."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.cluster import SpectralClustering as PeerClustering
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from margin.cluster import KMeans, SpectralClustering
from margin.cluster.graphs._spectral import normalised_cut
from margin.kernels import RBF


@pytest.mark.parametrize("labels", ["kmeans", "discretize", "cluster_qr"])
def test_moons(labels):
    """cluster.12: shapes that no means can tell apart."""
    X, truth = make_moons(160, noise=0.04, random_state=0)
    model = SpectralClustering(2, gamma=30.0, assign_labels=labels, random_state=0)
    assert adjusted_rand_score(truth, model.fit(X).labels_) > 0.97
    assert adjusted_rand_score(truth, KMeans(2, random_state=0).fit(X).labels_) < 0.6


def test_least_normalised_cut_of_a_small_graph():
    """cluster.12: the cut found is the least of all by enumeration."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9, 2)) + np.repeat([[0, 0], [3, 3]], [5, 4], axis=0)
    A = RBF(1.0)(X)
    least = min(
        normalised_cut(A, np.array((0, *rest)))
        for rest in product((0, 1), repeat=8) if any(rest)
    )  # fmt: skip
    model = SpectralClustering(2, affinity="precomputed", random_state=0).fit(A)
    assert model.fit_report_.objective == pytest.approx(least)
    same = SpectralClustering(2, affinity=RBF(1.0), random_state=0).fit(X)
    assert_array_equal(same.labels_, model.labels_)


def test_matrix_in_any_order():
    """cluster.14: a joint permutation of rows and columns permutes the labels."""
    X = np.random.default_rng(1).normal(size=(40, 2)) + np.repeat([[0, 0], [6, 6]], 20, axis=0)
    A, order = RBF(1.5)(X), np.random.default_rng(2).permutation(40)
    model = SpectralClustering(2, affinity="precomputed", random_state=0)
    one, two = model.fit(A).labels_, model.fit(A[np.ix_(order, order)]).labels_
    assert adjusted_rand_score(one[order], two) == 1.0


def test_bad_settings_are_named():
    with pytest.raises(ValueError, match="SpectralClustering: affinity must be"):
        SpectralClustering(affinity="nearness").fit(np.zeros((9, 1)))
    with pytest.raises(ValueError, match="SpectralClustering: X must be square"):
        SpectralClustering(2, affinity="precomputed").fit(np.zeros((9, 1)))
    with pytest.raises(ValueError, match="n_clusters must be at most 3 samples"):
        SpectralClustering(4).fit(np.zeros((3, 1)))


@pytest.mark.parametrize(("n", "p", "k"), [(700, 20, 8), (300, 60, 2)])
def test_rows_all_but_unconnected_end_like_a_peer(n, p, k):
    """Similarities next to nothing: beside those to itself they would not be seen."""
    X = np.random.default_rng(0).normal(size=(n, p))
    model, theirs = (c(k, random_state=0).fit(X) for c in (SpectralClustering, PeerClustering))
    cut = normalised_cut(model.affinity_matrix_, theirs.labels_)
    assert model.fit_report_.objective <= cut * (1 + 1e-6)


@pytest.mark.parametrize("layout", [np.asarray, csr_array])
def test_a_given_graph_counts_arrows_of_both_directions(layout):
    X = np.random.default_rng(0).normal(size=(60, 2))
    arrows = kneighbors_graph(X, 5, include_self=True)
    with pytest.warns(UserWarning, match="Array is not symmetric"):
        given = SpectralClustering(3, affinity="precomputed", random_state=0).fit(
            layout(arrows.toarray())
        )
    usual = SpectralClustering(3, affinity="nearest_neighbors", n_neighbors=5, random_state=0)
    assert_array_equal(given.labels_, usual.fit_predict(X))
