import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn import manifold
from sklearn.datasets import load_iris

from margin.decomposition import MDS

X = load_iris().data[::5]


def test_against_scikit_learn():
    """decomposition.13: as good as the reference from the same start, metric and not."""
    start = np.random.default_rng(0).normal(size=(len(X), 2))
    for metric in (True, False):
        ours = MDS(metric_mds=metric, eps=1e-9, max_iter=3000).fit(X, init=start)
        theirs = manifold.MDS(
            metric_mds=metric, eps=1e-9, max_iter=3000, n_init=1, init="random"
        ).fit(X, init=start)
        assert ours.stress_ <= theirs.stress_ * 1.02 + 1e-6


def test_known_points_come_back():
    """decomposition.13: distances of points in the plane, by metric scaling."""
    points = np.array([[1.0, 1], [1, 4], [1, 5], [3, 3]])
    D = squareform(pdist(points))
    model = MDS(metric="precomputed", eps=1e-14, max_iter=5000).fit(D)
    assert model.stress_ < 1e-6
    random = MDS(metric="precomputed", init="random", n_init=4, random_state=0, eps=1e-12)
    assert random.set_params(max_iter=5000).fit(D).stress_ < 1e-4


def test_unknown_distances():
    """decomposition.13: with enough others known, an unknown distance is found."""
    points = np.random.default_rng(3).normal(size=(12, 2))
    D = squareform(pdist(points))
    holes = D.copy()
    holes[0, 5] = holes[5, 0] = holes[2, 7] = holes[7, 2] = np.nan
    model = MDS(metric="precomputed", eps=1e-13, max_iter=20_000).fit(holes)
    found = squareform(pdist(model.embedding_))
    np.testing.assert_allclose(found, D, atol=1e-3)
    apart = np.full((4, 4), np.nan)
    apart[:2, :2] = apart[2:, 2:] = 1 - np.eye(2)
    with pytest.raises(ValueError, match="tie all rows together, got '2 groups"):
        MDS(metric="precomputed").fit(apart)


def test_normalised_stress():
    raw = MDS(normalized_stress=False).fit(X)
    normal = MDS(normalized_stress=True).fit(X)
    size = (pdist(raw.embedding_) ** 2).sum()
    assert normal.stress_ == pytest.approx(np.sqrt(raw.stress_ / size))
    assert MDS(metric_mds=False).fit(X).stress_ < 1


def test_old_names_and_bad_input():
    with pytest.warns(FutureWarning, match="dissimilarity"):
        MDS(dissimilarity="precomputed").fit(squareform(pdist(X)))
    with pytest.warns(FutureWarning, match="metric_mds=False"):
        MDS(metric=False).fit(X)
    with pytest.raises(ValueError, match="MDS: You provided both"):
        MDS(dissimilarity="euclidean", metric="cosine").fit(X)
    with pytest.raises(ValueError, match="init must be of shape"):
        MDS().fit(X, init=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="1 sample"):
        MDS().fit(X[:1])
