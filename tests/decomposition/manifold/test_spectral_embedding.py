import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import manifold
from sklearn.datasets import make_s_curve
from sklearn.neighbors import kneighbors_graph

from margin.decomposition import SpectralEmbedding

X, PLACE = make_s_curve(300, random_state=0)


@pytest.mark.parametrize("affinity", ["rbf", "nearest_neighbors"])
def test_against_scikit_learn(affinity):
    """decomposition.14: the same map as the reference, up to signs."""
    settings = {"affinity": affinity, "n_neighbors": 12, "random_state": 0}
    ours = SpectralEmbedding(2, **settings).fit_transform(X)
    theirs = manifold.SpectralEmbedding(2, eigen_solver="arpack", **settings).fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-6)


def test_a_curve_is_unrolled():
    """decomposition.14: the first coordinate follows the curve, which no plane does."""
    Z = SpectralEmbedding(1, n_neighbors=10).fit_transform(X)
    order = np.argsort(np.argsort(Z[:, 0]))
    true = np.argsort(np.argsort(PLACE))
    assert abs(np.corrcoef(order, true)[0, 1]) > 0.99


def test_graphs_of_every_kind_agree():
    graph = SpectralEmbedding(2, n_neighbors=12).fit(X).affinity_matrix_
    wanted = SpectralEmbedding(2, n_neighbors=12).fit_transform(X)
    for given in (graph, graph.toarray()):
        found = SpectralEmbedding(2, affinity="precomputed").fit_transform(given)
        np.testing.assert_allclose(np.abs(found), np.abs(wanted), atol=1e-8)
    called = SpectralEmbedding(2, affinity=lambda X: graph).fit_transform(X)
    np.testing.assert_allclose(np.abs(called), np.abs(wanted), atol=1e-8)
    sparse = SpectralEmbedding(2, n_neighbors=12).fit_transform(csr_array(X))
    np.testing.assert_allclose(np.abs(sparse), np.abs(wanted), atol=1e-8)


def test_bad_input():
    parted = np.vstack([X[:20], X[:20] + 100])
    apart = SpectralEmbedding(1, n_neighbors=8).fit(parted)
    assert apart.n_parts_ == 2
    assert "2 parts" in repr(apart.fit_report_)
    with pytest.raises(ValueError, match="n_components must be below the 5 samples"):
        SpectralEmbedding(5, n_neighbors=2).fit(X[:5])
    with pytest.raises(ValueError, match="n_neighbors must be at most the 5 samples"):
        SpectralEmbedding(1, n_neighbors=9).fit(X[:5])
    with pytest.raises(ValueError, match="square matrix of similarities"):
        SpectralEmbedding(1, affinity="precomputed").fit(X)


def test_a_given_graph_counts_arrows_of_both_directions():
    X = np.random.default_rng(0).normal(size=(40, 2))
    arrows = kneighbors_graph(X, 5, include_self=True)
    with pytest.warns(UserWarning, match="Array is not symmetric"):
        given = SpectralEmbedding(affinity="precomputed", random_state=0).fit(arrows)
    both = SpectralEmbedding(affinity="precomputed", random_state=0).fit((arrows + arrows.T) / 2)
    np.testing.assert_allclose(given.embedding_, both.embedding_, atol=1e-9)
