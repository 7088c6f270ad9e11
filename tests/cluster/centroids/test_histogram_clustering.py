"""Histograms: pooled distributions, divergences written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csc_array
from scipy.special import rel_entr
from sklearn.metrics import adjusted_rand_score

from margin.cluster import HistogramClustering


def test_pooled_distributions_and_divergences():
    """cluster.13: centres are pooled counts, the objective is the sum of divergences."""
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.ones(6) * 0.4, size=3)
    truth = np.repeat(np.arange(3), 30)
    X = np.stack([rng.multinomial(rng.integers(50, 300), P[c]) for c in truth])
    model = HistogramClustering(n_clusters=3, n_init=5, random_state=0, smoothing=1e-9).fit(X)
    assert adjusted_rand_score(truth, model.labels_) > 0.95
    for c in range(3):
        pooled = X[model.labels_ == c].sum(axis=0)
        assert_allclose(model.cluster_centers_[c], pooled / pooled.sum(), atol=1e-6)
    n, share = X.sum(axis=1), X / X.sum(axis=1, keepdims=True)
    wanted = n @ rel_entr(share, model.cluster_centers_[model.labels_]).sum(axis=1)
    assert model.inertia_ == pytest.approx(wanted, rel=1e-6)
    assert (model.predict(X) == model.labels_).all()


def test_unseen_bins_and_bad_counts():
    model = HistogramClustering(n_clusters=1).fit([[5.0, 0.0]])
    assert model.predict([[0.0, 3.0]]) == [0]
    with pytest.raises(ValueError, match="HistogramClustering: X must be at least 0"):
        HistogramClustering(n_clusters=1).fit([[-1.0, 2.0]])
    empty = HistogramClustering(n_clusters=2, random_state=0).fit([[0, 0], [1, 0], [0, 9]])
    assert empty.inertia_ < 1e-2


def test_rows_without_counts_start_no_cluster():
    X = [[0, 0, 0], [9, 1, 0], [0, 1, 9], [0, 0, 0]]
    for seed in range(5):
        model = HistogramClustering(n_clusters=2, random_state=seed).fit(X)
        assert model.labels_[1] != model.labels_[2]
        assert model.fit_report_.notes == ("2 rows without counts say nothing: cluster 0",)


def test_sparse_counts_are_dense_counts():
    X = np.random.default_rng(0).poisson(0.8, size=(60, 9)) * 1.0
    dense = HistogramClustering(n_clusters=4, random_state=0).fit(X)
    sparse = HistogramClustering(n_clusters=4, random_state=0).fit(csc_array(X))
    assert (sparse.labels_ == dense.labels_).all()
    assert_allclose(sparse.cluster_centers_, dense.cluster_centers_)
    assert sparse.inertia_ == pytest.approx(dense.inertia_)
    assert (sparse.predict(csc_array(X)) == dense.predict(X)).all()
    with pytest.raises(ValueError, match="HistogramClustering: X must be at least 0"):
        HistogramClustering(n_clusters=1).fit(csc_array(-X))
